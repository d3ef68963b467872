import { timestamp } from '@homeostat/api'
import type { CertificateTimes } from './certificate-set.ts'
import type { CertificateStore, StoredSet } from './certificate-store.ts'
import type { CertificateContext, ServingCertificate, UsableSet } from './serving-certificate.ts'

/** The place where API servers learn which authorities to trust. */
export interface TrustedAuthorities {
  /**
   * Writes the authorities to each place that does not have them yet. Resolves with the time since which all places
   * have them, by the wall clock; `undefined` where there is no place.
   */
  publish(context: CertificateContext, authorities: readonly string[]): Promise<number | undefined>
}

/** How long API servers get to use a changed configuration before a certificate depends on it. */
const [SHORTEST_WAIT, LONGEST_WAIT] = [1000, 60_000]

/**
 * Renews the certificates of the webhooks, in the process that leads. API servers trust the current certificate at
 * every moment: an authority signs only after it was published, and stays published until everything that it signed has
 * expired. All state is in the store and in the places of publication, so another process can continue at any point.
 */
export class CertificateRotation {
  readonly #store: CertificateStore
  readonly #serving: ServingCertificate
  readonly #places: TrustedAuthorities
  readonly #names: () => readonly string[]
  readonly #times: CertificateTimes

  constructor(
    store: CertificateStore,
    serving: ServingCertificate,
    places: TrustedAuthorities,
    names: () => readonly string[],
    times: CertificateTimes,
  ) {
    this.#store = store
    this.#serving = serving
    this.#places = places
    this.#names = names
    this.#times = times
  }

  /** Publishes the authorities, and renews the certificate where it is time. Resolves with when to look again, in milliseconds. */
  async run(context: CertificateContext): Promise<number> {
    const { clock } = context
    using _ = clock.busy('renewing the certificates of webhooks')
    const loaded = await this.#serving.load(context)
    const published = await this.#places.publish(context, loaded.set.authorities)
    const { canSign } = await import('./renew-set.ts')
    const now = clock.now()
    const due = this.#dueAt(loaded, now)
    if (now < due && canSign(loaded.inspected, now)) return due - now
    if (!canSign(loaded.inspected, now)) {
      await this.#prepare(loaded, context)
      return 0
    }
    const settled = published === undefined ? now : published + this.#wait
    if (now < settled) return settled - now
    await this.#renew(loaded, context)
    return 0
  }

  /**
   * When the certificate is to be renewed: at once where a user requests it, a name is missing in it, or the clock is before its
   * beginning.
   */
  #dueAt(
    { stored, inspected: { serving } }: UsableSet & { readonly stored: StoredSet },
    now: number,
  ): number {
    const isDue = stored.isRenewalRequested || this.#lacksName(serving.names) || serving.notBefore > now
    return isDue ? 0 : serving.notAfter - this.#times.renewBefore
  }

  #lacksName(present: readonly string[]): boolean {
    return this.#names().some((name) => !present.includes(name))
  }

  /** How long to wait between checks: a part of a certificate's time of use, if that is short. */
  get #wait(): number {
    const used = this.#times.validity - this.#times.renewBefore
    return Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, used / 4))
  }

  async #prepare(
    loaded: UsableSet & { readonly stored: StoredSet },
    { client, clock, log }: CertificateContext,
  ): Promise<void> {
    const { prepareSet } = await import('./renew-set.ts')
    const renewal = { names: this.#names(), now: clock.now(), times: this.#times }
    if (await this.#store.write(client, await prepareSet(loaded, renewal), loaded.stored))
      log.warn(
        { store: this.#store.name },
        'a new authority for the webhooks was created, because the old one cannot sign',
      )
  }

  async #renew(
    loaded: UsableSet & { readonly stored: StoredSet },
    context: CertificateContext,
  ): Promise<void> {
    const { client, clock, log } = context
    const { renewSet } = await import('./renew-set.ts')
    const { names: present } = loaded.inspected.serving
    // API servers may still call a process of the operator's previous version by its old names.
    const names = this.#lacksName(present) ? [...this.#names(), ...present] : this.#names()
    const renewal = { names, now: clock.now(), times: this.#times }
    if (!(await this.#store.write(client, await renewSet(loaded, renewal), loaded.stored))) return
    const before = timestamp(loaded.inspected.serving.notAfter)
    log.info({ store: this.#store.name, before }, 'the certificate of the webhooks was renewed')
  }
}
