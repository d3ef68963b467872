import { microTimestamp, type Clock, type ObjectOf } from '@homeostat/api'
import { Lease } from '@homeostat/api/kinds'
import { isConflict, isNotFound } from '../requests/index.ts'
import type { Client } from '../client/index.ts'

export interface LeaseLockOptions {
  /** A client that reads from the server, not from a cache. */
  readonly client: Client
  readonly clock: Clock
  readonly key: { readonly namespace: string; readonly name: string }
  readonly identity: string
  readonly leaseSeconds: number
}

type StoredLease = ObjectOf<typeof Lease>

/**
 * A lock that several processes compete for, kept in a Lease. This process measures by its own monotonic clock how
 * long the holder has not renewed the Lease. The times in the Lease are only informative, so clocks that differ do no
 * harm.
 */
export class LeaseLock {
  readonly #options: LeaseLockOptions
  #seen: StoredLease | undefined
  /** When the Lease was last seen to have changed, on the monotonic scale. */
  #changedAt = 0

  constructor(options: LeaseLockOptions) {
    this.#options = options
  }

  /** The process that held the lock when the Lease was last read; `undefined` when it was free. */
  get holder(): string | undefined {
    return this.#seen?.spec?.holderIdentity || undefined
  }

  /**
   * Acquires the lock if it is free, or renews it. Returns the time at which it sent the successful write, on the monotonic
   * clock: this process holds the lock from then on. Returns `undefined` where another process holds it.
   *
   * `signal` ends the call before the write is sent. After that only `limit` does, because a write whose answer is not
   * awaited may acquire the lock unnoticed.
   */
  async take(signal: AbortSignal, limit: AbortSignal): Promise<number | undefined> {
    signal.throwIfAborted()
    if (this.#seen && this.#isMine()) {
      try {
        return await this.#write(this.#seen, limit)
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error
      }
    }
    const { client, key } = this.#options
    this.#see(await client.get(Lease, key, { signal }))
    signal.throwIfAborted()
    if (this.holder !== undefined && !this.#isMine() && !this.#isExpired()) return undefined
    return this.#write(this.#seen, limit)
  }

  /** Releases the lock, so that another process does not have to wait until it expires. */
  async release(signal: AbortSignal): Promise<void> {
    if (!this.#seen || !this.#isMine()) return
    const { client, clock } = this.#options
    const now = microTimestamp(clock.now())
    const { holderIdentity: _, ...spec } = this.#seen.spec ?? {}
    this.#see(
      await client.update(
        Lease,
        { ...this.#seen, spec: { ...spec, leaseDurationSeconds: 1, acquireTime: now, renewTime: now } },
        { signal },
      ),
    )
  }

  async #write(before: StoredLease | undefined, signal: AbortSignal): Promise<number> {
    const { client, clock, identity, key, leaseSeconds } = this.#options
    const now = microTimestamp(clock.now())
    const renewed = before !== undefined && this.#isMine()
    const transitions = before?.spec?.leaseTransitions ?? 0
    const spec = {
      ...before?.spec,
      holderIdentity: identity,
      leaseDurationSeconds: leaseSeconds,
      acquireTime: renewed ? (before.spec?.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: before === undefined || renewed ? transitions : transitions + 1,
    }
    const sent = clock.monotonic()
    this.#see(
      before
        ? await client.update(Lease, { ...before, spec }, { signal })
        : await client.create(Lease, { metadata: key, spec }, { signal }),
    )
    return sent
  }

  #see(lease: StoredLease | undefined): void {
    if (lease?.metadata.resourceVersion !== this.#seen?.metadata.resourceVersion) {
      this.#changedAt = this.#options.clock.monotonic()
    }
    this.#seen = lease
  }

  #isMine(): boolean {
    return this.holder === this.#options.identity
  }

  #isExpired(): boolean {
    const seconds = this.#seen?.spec?.leaseDurationSeconds ?? 0
    return this.#options.clock.monotonic() - this.#changedAt >= seconds * 1000
  }
}
