import { HomeostatError, type Clock } from '@homeostat/api'
import { Secret } from '@homeostat/api/kinds'
import type { Client, ClientCaller } from '../../client/index.ts'
import { controller, type Controller, type PolicyRule } from '../../controller/index.ts'
import { Channel, type ExternalEvent, type Source } from '../../source/index.ts'
import type { Logger } from '../../telemetry/index.ts'
import type { Transport } from '../../transport/index.ts'
import {
  CertificateRotation,
  MemoryStore,
  SecretStore,
  ServingCertificate,
  type CertificateStore,
} from '../certificates/index.ts'
import { objectChanges, WebhookInstallation } from '../installation/index.ts'
import { hostNamesOf, type Webhook, type WebhookAddress } from '../review/index.ts'
import type { CertificateSource } from '../serving/index.ts'
import { certificateTimes, requiredName, type WebhooksOptions } from './webhooks-options.ts'

/** The controller of every process, which loads the certificate that it serves. */
const LOADER = 'webhook-certificate'
/** The controller of the process that leads, which renews certificates. It is the field manager of `caBundle`. */
const KEEPER = 'webhook-certificates'
const REQUEST = { name: 'certificates' }

/** The manager's cluster without its cache. */
export interface LiveCluster {
  /** The namespace of the manager, where it is known. */
  readonly namespace: string | undefined
  readonly transport: Transport
  readonly logger: Logger
  /** A client that reads the server. With `needsLeader` it writes only while this process leads. */
  client(caller: ClientCaller, needsLeader: boolean): Client
}

/** A controller that belongs to the webhooks. */
export interface WebhookController {
  readonly name: string
  controller(cluster: LiveCluster): Controller
}

/** The parts that are known only when the manager runs. */
interface Running {
  readonly store: CertificateStore
  readonly serving: ServingCertificate
  readonly rotation: CertificateRotation
  /** Emits changes of the Secret, or only the start where certificates are kept in memory. */
  readonly changes: Source<ExternalEvent<undefined>>
}

/** Webhooks whose certificates the manager creates, renews and publishes. */
export class SelfManagedWebhooks {
  readonly #options: WebhooksOptions & { readonly name: string }
  readonly #inPod: boolean
  readonly #installation: WebhookInstallation
  /** Wakes the keeper when the port is open. */
  readonly #open = new Channel<undefined>('webhooks')
  #namespace: string | undefined
  #running: Running | undefined
  #url: string | undefined
  readonly #installed = Promise.withResolvers<void>()

  constructor(webhooks: readonly Webhook[], options: WebhooksOptions, inPod: boolean, namespace?: string) {
    const name = requiredName(options)
    this.#options = { ...options, name }
    this.#inPod = inPod
    this.#namespace = options.service?.namespace ?? namespace
    this.#installation = new WebhookInstallation(webhooks, {
      name,
      address: () => this.#address(),
      install: options.install ?? !inPod,
      isLocal: !inPod,
      fieldManager: KEEPER,
    })
  }

  /** Resolves when the API servers of the cluster have been told where the webhooks are. */
  get installed(): Promise<void> {
    return this.#installed.promise
  }

  get hasCertificate(): boolean {
    return this.#running?.serving.current !== undefined
  }

  /** The rights that it needs on objects that have no namespace. */
  rules(): PolicyRule[] {
    return this.#installation.rules()
  }

  /** The rights that it needs in the namespace of the manager. */
  namespaceRules(): PolicyRule[] {
    const secrets = { apiGroups: [''], resources: ['secrets'] }
    return [
      { ...secrets, verbs: ['create'] },
      { ...secrets, resourceNames: [this.#secretName], verbs: ['get', 'list', 'watch', 'patch'] },
    ]
  }

  controllers(): readonly WebhookController[] {
    return [
      { name: LOADER, controller: (cluster) => this.#loader(cluster) },
      { name: KEEPER, controller: (cluster) => this.#keeper(cluster) },
    ]
  }

  /** The certificate of the port. Waiting for it ends with the signal. */
  certificate(cluster: LiveCluster, signal: AbortSignal): CertificateSource {
    const { serving } = this.#on(cluster)
    const stopped = Promise.withResolvers<never>()
    stopped.promise.catch(() => {})
    const stop = (): void => stopped.reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    return {
      start: (renewed) => Promise.race([serving.start(renewed), stopped.promise]),
      [Symbol.dispose]: () => signal.removeEventListener('abort', stop),
    }
  }

  /** The port is open at this address. */
  opened(url: string): void {
    this.#url = this.#options.url ?? url
    this.#open.send(undefined, { note: 'the port of the webhooks is open' })
  }

  /** Removes the objects that a process outside of the cluster has installed: API servers cannot reach it any more. */
  async stop(
    { clock, log }: { readonly clock: Clock; readonly log: Logger },
    cluster: LiveCluster,
  ): Promise<void> {
    if (this.#inPod || this.#options.install === false || this.#url === undefined) return
    const client = cluster.client({ fieldManager: KEEPER, clock, logger: log }, false)
    try {
      await this.#installation.remove(client)
    } catch (error) {
      log.error({ error }, 'the webhook configurations of this process could not be removed: delete them')
    }
  }

  /** Reads the certificate, in every process. */
  #loader(cluster: LiveCluster): Controller {
    const { serving, changes } = this.#on(cluster)
    return controller(LOADER)
      .watches(changes, () => REQUEST)
      .options({ needLeaderElection: false })
      .reconcile(async (_, { clock, log, signal }) => {
        const client = cluster.client({ fieldManager: LOADER, clock, logger: log, signal }, false)
        const { inspected } = await serving.load({ client, clock, log })
        return { requeueAfter: Math.max(1, inspected.serving.notAfter - clock.now()) }
      })
  }

  /** Renews certificates, and restores `caBundle` if a client removes it. */
  #keeper(cluster: LiveCluster): Controller {
    const { rotation, changes } = this.#on(cluster)
    let building = controller(KEEPER)
      .watches(this.#open, () => REQUEST)
      .watches(changes, () => REQUEST)
    for (const object of this.#installation.objects) {
      const { kind, name } = object
      const changed = objectChanges(cluster.transport, kind, { name }, cluster.logger, (version, clock) =>
        this.#installation.seen(object, version, clock),
      )
      building = building.watches(changed, () => REQUEST)
    }
    return building.reconcile(async (_, { clock, log, signal }) => {
      // Webhooks that do not answer yet are not installed.
      if (this.#url === undefined) return
      const client = cluster.client({ fieldManager: KEEPER, clock, logger: log, signal }, true)
      const requeueAfter = await rotation.run({ client, clock, log })
      this.#installed.resolve()
      return { requeueAfter }
    })
  }

  #on(cluster: LiveCluster): Running {
    if (this.#running) return this.#running
    this.#namespace ??= cluster.namespace
    const times = certificateTimes(this.#options)
    const names = (): readonly string[] => this.#names
    const key = { namespace: this.#requiredNamespace, name: this.#secretName }
    const store = this.#inPod ? new SecretStore(key) : new MemoryStore()
    const serving = new ServingCertificate(store, names, times)
    const rotation = new CertificateRotation(store, serving, this.#installation, names, times)
    const changes = this.#inPod ? objectChanges(cluster.transport, Secret, key, cluster.logger) : START
    this.#running = { store, serving, rotation, changes }
    return this.#running
  }

  #address(): WebhookAddress {
    const { name, service, url = this.#inPod ? undefined : this.#url } = this.#options
    if (url !== undefined) return { url }
    const { name: serviceName = `${name}-webhooks`, port } = service ?? {}
    return {
      service: {
        name: serviceName,
        namespace: this.#requiredNamespace,
        ...(port === undefined ? {} : { port }),
      },
    }
  }

  /** The host names and addresses of the certificate. */
  get #names(): readonly string[] {
    const { url } = this.#options
    const names = url === undefined ? [] : hostNamesOf({ url })
    if (this.#inPod) return url === undefined ? hostNamesOf(this.#address()) : names
    return [...new Set([...names, '127.0.0.1', 'localhost'])]
  }

  get #secretName(): string {
    const { certificates, name } = this.#options
    return certificates?.secret ?? `${name}-webhook-certificates`
  }

  get #requiredNamespace(): string {
    if (!this.#inPod) return ''
    if (this.#namespace !== undefined) return this.#namespace
    throw new HomeostatError(
      'WEBHOOK_OPTIONS_INVALID',
      'a manager with a given transport cannot know its namespace: set service.namespace in the options of addWebhooks, or leaderElection.namespace in those of the manager',
    )
  }
}

/** One event at the start. */
const START: Source<ExternalEvent<undefined>> = {
  name: 'the start',
  start(_, emit) {
    emit({ value: undefined, note: 'the manager starts' })
    return Promise.resolve()
  },
}
