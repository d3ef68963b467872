import { X509Certificate } from 'node:crypto'
import {
  customResourceDefinition,
  defineKind,
  schema as s,
  type ApiHandler,
  type Clock,
} from '@homeostat/api'
import type { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  admission,
  conversion,
  createClient,
  createLogger,
  directTransport,
  Manager,
  webhookConfigurations,
  type Logger,
  type Transport,
  type WebhooksOptions,
} from 'homeostat'
import {
  CertificateRotation,
  SecretStore,
  ServingCertificate,
} from '../../packages/runtime/src/webhook/certificates/index.ts'
import { WebhookInstallation } from '../../packages/runtime/src/webhook/installation/index.ts'
import { SelfManagedWebhooks, type LiveCluster } from '../../packages/runtime/src/webhook/index.ts'

const names = { group: 'test.homeostat.dev', kind: 'Shelf', plural: 'shelves' } as const
const ShelfV1 = defineKind({ ...names, version: 'v1', spec: s.object({ place: s.string().optional() }) })
const ShelfV2 = defineKind({
  ...names,
  version: 'v2',
  spec: s.object({ room: s.string().optional() }),
})

/** An operator's webhooks of all types. */
export const webhooks = [
  admission(ShelfV2)
    .defaults(() => ({}))
    .validates({ create: () => [] }),
  conversion(ShelfV2)
    .version(ShelfV1)
    .converts({ toStored: () => ({ spec: {} }), fromStored: () => ({ spec: {} }) }),
]
const kinds = [ShelfV1, ShelfV2]

export const OPTIONS = {
  name: 'shelves',
  service: { name: 'shelves-webhooks', namespace: 'default' },
} as const satisfies WebhooksOptions
export const SECRET = '/api/v1/namespaces/default/secrets/shelves-webhook-certificates'
const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
export const OBJECTS = [
  `${ADMISSION}/mutatingwebhookconfigurations/shelves`,
  `${ADMISSION}/validatingwebhookconfigurations/shelves`,
  `${DEFINITIONS}/shelves.test.homeostat.dev`,
]

/** Applies an operator's manifests, which know no `caBundle`. */
export async function applyManifests(environment: TestEnvironment): Promise<void> {
  const service = OPTIONS.service
  const { mutating, validating } = webhookConfigurations(webhooks, {
    name: 'shelves',
    clientConfig: { service },
  })
  const definition = customResourceDefinition(kinds, {
    stored: 'v2',
    conversion: { service: { ...service, path: '/convert' } },
  })
  for (const [path, object] of [
    [`${ADMISSION}/mutatingwebhookconfigurations`, mutating],
    [`${ADMISSION}/validatingwebhookconfigurations`, validating],
    [DEFINITIONS, definition],
  ] as const) {
    const { code, body } = await environment.prepare('POST', path, object!)
    if (code !== 201) throw new Error(body.message)
  }
}

/** The parts that renew the certificates of one process, for tests that call them directly. */
export function certificatesOf({ name, service }: typeof OPTIONS) {
  const times = { validity: 60 * 86_400_000, renewBefore: 30 * 86_400_000 }
  const hosts = (): string[] => [`${service.name}.${service.namespace}.svc`]
  const store = new SecretStore({ namespace: service.namespace, name: `${name}-webhook-certificates` })
  const serving = new ServingCertificate(store, hosts, times)
  const fieldManager = 'webhook-certificates'
  const address = () => ({ service })
  const places = new WebhookInstallation(webhooks, {
    name,
    address,
    install: false,
    isLocal: false,
    fieldManager,
  })
  return { serving, rotation: new CertificateRotation(store, serving, places, hosts, times) }
}

/** One process of an operator with webhooks, without its port. */
export class Replica {
  /** The certificate that the port would present. */
  certificate: string | undefined
  readonly lines: string[] = []
  readonly manager: Manager
  readonly #stop = new AbortController()
  readonly #running: Promise<void>

  constructor(
    environment: { readonly handler: ApiHandler; readonly clock: Clock },
    identity: string,
    options: WebhooksOptions = OPTIONS,
    wrap: (transport: Transport) => Transport = (transport) => transport,
  ) {
    const { handler, clock } = environment
    const transport = wrap(directTransport(handler, { clock }))
    const logger: Logger = createLogger({ clock, format: 'text', write: (line) => this.lines.push(line) })
    const live: LiveCluster = {
      namespace: 'default',
      transport,
      logger,
      client: (caller) => createClient({ transport, ...caller }),
    }
    const own = new SelfManagedWebhooks(webhooks, options, true)
    // Long times, because each renewal of a Lease takes work and the tests let years pass.
    const leaderElection = {
      name: 'shelves',
      namespace: 'default',
      identity,
      releaseOnStop: true,
      leaseDuration: '2h',
      renewDeadline: '1h',
      retryPeriod: '30m',
    } as const
    this.manager = new Manager({ transport, clock, logger, leaderElection })
    for (const each of own.controllers()) this.manager.add(each.controller(live))
    const source = own.certificate(live, this.#stop.signal)
    const served = source.start(({ cert }) => void (this.certificate = cert))
    void this.#open(own, served)
    this.#running = this.manager.start({ signal: this.#stop.signal })
    this.#running.catch(() => {})
  }

  async #open(own: SelfManagedWebhooks, served: Promise<{ readonly cert: string }>): Promise<void> {
    try {
      const { cert } = await served
      this.certificate ??= cert
      own.opened('https://127.0.0.1:1')
    } catch {
      // It was stopped before there was a certificate.
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'))
    this.certificate = undefined
    await this.#running
  }
}

/** The objects in the cluster that concern webhooks. */
export interface ClusterState {
  readonly secret: Record<string, string> | undefined
  /** The authorities of each entry that has a `clientConfig`. */
  readonly bundles: readonly { readonly where: string; readonly authorities: readonly string[] }[]
}

export async function readState(environment: TestEnvironment): Promise<ClusterState> {
  const { code, body } = await environment.call('GET', SECRET)
  const bundles: { where: string; authorities: string[] }[] = []
  for (const path of OBJECTS) {
    const { body: object } = await environment.call('GET', path)
    const entries = object.webhooks ?? [{ name: path, ...object.spec?.conversion?.webhook }]
    for (const { name, clientConfig } of entries)
      bundles.push({ where: name, authorities: splitPem(decode(clientConfig?.caBundle ?? '')) })
  }
  return {
    secret:
      code === 200
        ? Object.fromEntries(Object.entries<string>(body.data).map(([key, value]) => [key, decode(value)]))
        : undefined,
    bundles,
  }
}

/** Why an API server at this time would refuse the certificate, somewhere; empty where it is trusted everywhere. */
export function distrust(certificate: string, { bundles }: ClusterState, now: number): string[] {
  const served = new X509Certificate(certificate)
  return bundles.flatMap(({ where, authorities }) => {
    const signer = authorities
      .map((pem) => new X509Certificate(pem))
      .find((authority) => served.checkIssued(authority) && served.verify(authority.publicKey))
    if (!signer) return [`${where} trusts no authority of the certificate`]
    return [served, signer].flatMap(({ validFrom, validTo }) => {
      if (Date.parse(validFrom) > now) return [`${where}: not valid before ${validFrom}`]
      return Date.parse(validTo) <= now ? [`${where}: expired at ${validTo}`] : []
    })
  })
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString()
}

function splitPem(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
}
