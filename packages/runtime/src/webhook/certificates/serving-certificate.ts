import { HomeostatError, timestamp, type Clock } from '@homeostat/api'
import type { Client } from '../../client/index.ts'
import type { Logger } from '../../telemetry/index.ts'
import type { CertificateSet, CertificateTimes } from './certificate-set.ts'
import type { CertificateStore, StoredSet } from './certificate-store.ts'
import type { InspectedSet } from './inspect-set.ts'

/** The part of a set that a port presents. */
export interface ServingPair {
  readonly cert: string
  readonly key: string
}

/** The parts of a manager that certificates need, besides their store. */
export interface CertificateContext {
  readonly client: Client
  readonly clock: Clock
  readonly log: Logger
}

/** A set with its inspected content. */
export interface UsableSet {
  readonly set: CertificateSet
  readonly inspected: InspectedSet & { readonly serving: NonNullable<InspectedSet['serving']> }
}

/** How many times a process tries to store a set of certificates. An attempt fails only if another process stores its set first. */
const TRIES = 5

/**
 * The certificate that this process presents. Every process reads it from the store, and may create one if none is
 * usable, because a process that does not lead must serve, too. Only the leader renews it.
 */
export class ServingCertificate {
  readonly #store: CertificateStore
  readonly #names: () => readonly string[]
  readonly #times: CertificateTimes
  readonly #first = Promise.withResolvers<ServingPair>()
  #current: UsableSet | undefined
  #listener: ((pair: ServingPair) => void) | undefined

  /** `names` are the host names and addresses by which API servers reach the port. */
  constructor(store: CertificateStore, names: () => readonly string[], times: CertificateTimes) {
    this.#store = store
    this.#names = names
    this.#times = times
  }

  /** Resolves with the first pair; `renewed` is called with every later one. */
  async start(renewed: (pair: ServingPair) => void): Promise<ServingPair> {
    await this.#first.promise
    this.#listener = renewed
    return pairOf(this.#current!.set)
  }

  /** The set that this process uses now. */
  get current(): UsableSet | undefined {
    return this.#current
  }

  /** Loads the stored set, and replaces it where it cannot be used. Resolves with the set that is in use. */
  async load({
    client,
    clock,
    log,
  }: CertificateContext): Promise<UsableSet & { readonly stored: StoredSet }> {
    using _ = clock.busy('loading the certificate of webhooks')
    const { inspectSet } = await import('./inspect-set.ts')
    for (let tries = 0; tries < TRIES; tries++) {
      const stored = await this.#store.read(client)
      const { set } = stored
      const inspected = set && inspectSet(set)
      const problem = inspected ? problemOf(inspected, clock.now()) : 'it does not exist'
      if (set && inspected?.serving && problem === undefined) {
        const usable = { set, inspected: { ...inspected, serving: inspected.serving } }
        this.#use(usable, log)
        return { ...usable, stored }
      }
      await this.#replace(stored, set && inspected && { set, inspected }, problem, { client, clock, log })
    }
    throw new HomeostatError(
      'WEBHOOK_CERTIFICATE_CONTESTED',
      `${this.#store.name} was changed ${TRIES} times while this process tried to store certificates: find out which other program writes it`,
    )
  }

  /**
   * Replaces a stored set that cannot be used: by the set that this process still serves, or else by a new
   * one.
   */
  async #replace(
    stored: StoredSet,
    before: { readonly set: CertificateSet; readonly inspected: InspectedSet } | undefined,
    problem: string | undefined,
    { client, clock, log }: CertificateContext,
  ): Promise<void> {
    const current = this.#current
    const own = current && problemOf(current.inspected, clock.now()) === undefined ? current.set : undefined
    const { renewSet } = await import('./renew-set.ts')
    const renewal = { names: this.#names(), now: clock.now(), times: this.#times }
    const set = own ?? (await renewSet(before, renewal))
    if (!(await this.#store.write(client, set, stored))) return
    const fields = { store: this.#store.name, problem }
    if (stored.set)
      log.error(
        fields,
        'the stored certificates of the webhooks could not be used, so this process has replaced them',
      )
    else log.info(fields, 'certificates for the webhooks were created')
  }

  #use(usable: UsableSet, log: Logger): void {
    const { set, inspected } = usable
    const before = this.#current?.set
    this.#current = usable
    if (before?.certificate === set.certificate && before.key === set.key) return
    log.info(
      { notAfter: timestamp(inspected.serving.notAfter) },
      before ? 'the webhooks use a renewed certificate' : 'the webhooks use a certificate',
    )
    this.#listener?.(pairOf(set))
    this.#first.resolve(pairOf(set))
  }
}

function pairOf({ certificate, key }: CertificateSet): ServingPair {
  return { cert: certificate, key }
}

/**
 * Why the serving certificate of a set cannot be used now; `undefined` where it can. One that is not valid yet can be used: the clock of
 * this process may be wrong, and the leader renews it.
 */
function problemOf({ serving, problems }: InspectedSet, now: number): string | undefined {
  if (!serving) return problems.join('; ')
  if (serving.notAfter <= now) return `tls.crt expired at ${timestamp(serving.notAfter)}`
  return undefined
}
