import { microTimestamp, type Clock, type ObjectOf } from '@homeostat/api'
import { Lease } from '@homeostat/api/kinds'
import { isConflict, isNotFound } from '../requests/index.ts'
import type { Client } from '../client/index.ts'

export interface LeaseLockOptions {
  /** One that reads from the server, not from a cache. */
  readonly client: Client
  readonly clock: Clock
  readonly key: { readonly namespace: string; readonly name: string }
  readonly identity: string
  readonly leaseSeconds: number
}

type StoredLease = ObjectOf<typeof Lease>

/**
 * A lock that several processes compete for, kept in a Lease. A holder's silence is measured by this
 * process's own monotonic clock from the last change that it saw: the times written in the Lease are for
 * people, so clocks that differ do no harm.
 */
export class LeaseLock {
  readonly #options: LeaseLockOptions
  #seen: StoredLease | undefined
  /** When the Lease was last seen to have changed, on the monotonic scale. */
  #changedAt = 0

  constructor(options: LeaseLockOptions) {
    this.#options = options
  }

  /** The process that had the lock when the Lease was last seen; `undefined` when it was free. */
  get holder(): string | undefined {
    return this.#seen?.spec?.holderIdentity || undefined
  }

  /**
   * Takes the lock if it is free, or renews it. Answers when the write that did it was sent, on the
   * monotonic scale: the lock is surely held from then on. `undefined` where another process has it.
   *
   * `signal` ends it before the write is sent. From then on only `limit` does: a write whose answer is not awaited
   * may have taken the lock for a process that no longer knows of it.
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
