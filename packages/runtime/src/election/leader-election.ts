import {
  checkOptionNames,
  HomeostatError,
  milliseconds,
  optionNames,
  type Clock,
  type Duration,
  type Timer,
} from '@homeostat/api'
import { isAlreadyExists, isConflict } from '../requests/index.ts'
import type { Client } from '../client/index.ts'
import type { Logger, MetricsRegistry } from '../telemetry/index.ts'
import { linkSignals } from '../transport/index.ts'
import { LeaseLock } from './lease-lock.ts'

/** Lets one of several processes work while the others stand by. */
export interface LeaderElectionOptions {
  /** The Lease's name, such as `at.example.com`. All processes that compete use the same name. */
  readonly name: string
  /** The Lease's namespace. Default: that of the Pod, or of the kubeconfig's context. */
  readonly namespace?: string | undefined
  /** The identity of this process in the Lease. Default: the host's name and a random part. */
  readonly identity?: string | undefined
  /** How long other processes wait after the leader last renewed the Lease; in whole seconds. Default: `'15s'`. */
  readonly leaseDuration?: Duration | undefined
  /** How long a leader that cannot renew the Lease continues before it stops. Default: `'10s'`. */
  readonly renewDeadline?: Duration | undefined
  /** The time between two tries to get or to renew the Lease. Default: `'2s'`. */
  readonly retryPeriod?: Duration | undefined
  /**
   * Whether an orderly stop releases the Lease, so that another process takes over at once. Default: false. Use it
   * only where the process ends when `start` returns.
   */
  readonly releaseOnStop?: boolean | undefined
}

const ELECTION_OPTIONS = optionNames<LeaderElectionOptions>('the option leaderElection', {
  name: true,
  namespace: true,
  identity: true,
  leaseDuration: true,
  renewDeadline: true,
  retryPeriod: true,
  releaseOnStop: true,
})

/** The times of an election in milliseconds. */
interface Times {
  readonly leaseDuration: number
  readonly renewDeadline: number
  readonly retryPeriod: number
}

/** Each wait is up to this factor longer than the period, so that not all candidates try at the same time. */
const JITTER = 1.2

/** Throws a `HomeostatError` with code `LEADER_ELECTION_OPTIONS_INVALID` that names the option. */
export function electionTimes(options: LeaderElectionOptions): Times {
  checkOptionNames(options, ELECTION_OPTIONS)
  const times = {
    leaseDuration: milliseconds(options.leaseDuration ?? '15s'),
    renewDeadline: milliseconds(options.renewDeadline ?? '10s'),
    retryPeriod: milliseconds(options.retryPeriod ?? '2s'),
  }
  mustHold(options.name !== '', 'name', 'must be the name of a Lease')
  mustHold(
    options.identity !== '',
    'identity',
    'must distinguish this process from others; leave it out to get a generated one',
  )
  mustHold(
    times.leaseDuration >= 1000 && times.leaseDuration % 1000 === 0,
    'leaseDuration',
    'must be a whole number of seconds, at least 1',
  )
  mustHold(
    times.renewDeadline < times.leaseDuration,
    'renewDeadline',
    'must be shorter than leaseDuration: a leader has to stop before another starts',
  )
  mustHold(times.retryPeriod > 0, 'retryPeriod', 'must be longer than 0')
  mustHold(
    times.retryPeriod * JITTER < times.renewDeadline,
    'retryPeriod',
    'must be well below renewDeadline: one failed try must not cost the leadership',
  )
  return times
}

/**
 * Competes for a Lease and keeps it. The process that holds the Lease leads from the moment at which it sent the write
 * that acquired it. It stops leading when the renew deadline has passed since it sent the last write that renewed the
 * Lease; from then on the lease is lost permanently. Both times are on the monotonic clock of the process. No other
 * process can acquire the Lease before `leaseDuration` has passed, so two processes never lead at the same time.
 */
export class LeaderElection {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #name: string
  readonly #identity: string
  readonly #times: Times
  readonly #releaseOnStop: boolean
  readonly #lock: LeaseLock
  readonly #status: { value: number }
  readonly #stop = new AbortController()
  readonly #lostSignal = new AbortController()
  readonly #lost = Promise.withResolvers<never>()
  #loss: HomeostatError | undefined
  /** Until when it leads, on the monotonic scale. */
  #until = Number.NEGATIVE_INFINITY
  #deadline: Timer | undefined
  #acquiring: Promise<void> | undefined
  #renewing: Promise<void> | undefined

  constructor(options: {
    election: LeaderElectionOptions & { readonly namespace: string; readonly identity: string }
    /** A client that reads from the server, and writes whether this process leads or not. */
    client: Client
    clock: Clock
    logger: Logger
    metrics: MetricsRegistry
  }) {
    const { clock, client, election, logger, metrics } = options
    const { identity, name, namespace } = election
    this.#clock = clock
    this.#name = `${namespace}/${name}`
    this.#identity = identity
    this.#log = logger.child({ lease: this.#name, identity })
    this.#times = electionTimes(election)
    this.#releaseOnStop = election.releaseOnStop ?? false
    const leaseSeconds = this.#times.leaseDuration / 1000
    this.#lock = new LeaseLock({ client, clock, key: { namespace, name }, identity, leaseSeconds })
    this.#status = metrics
      .gauge('leader_election_master_status', 'Whether this process has the lease: 1 if it has, 0 if not.')
      .with({ name })
    this.#lost.promise.catch(() => {})
  }

  /** Rejects with code `LEADER_ELECTION_LOST` when this process has lost the lease. */
  get lost(): Promise<never> {
    return this.#lost.promise
  }

  /** Aborts when this process has lost the lease. */
  get lostSignal(): AbortSignal {
    return this.#lostSignal.signal
  }

  /** Whether this process has lost the lease. */
  get isLost(): boolean {
    return this.#loss !== undefined
  }

  /** Throws where this process does not lead: its write could undo a write of the new leader. */
  assertLeads(): void {
    if (this.#clock.monotonic() < this.#until && !this.#loss) return
    throw new HomeostatError(
      'LEADER_ELECTION_LOST',
      `this write is refused: this process does not have the lease ${this.#name}`,
      { cause: this.#loss },
    )
  }

  /**
   * Resolves when this process leads; from then on the lease is renewed. Rejects when the signal aborts. A lease that
   * is being acquired at that moment is released again, so that other processes need not wait for it to expire.
   */
  async acquire(signal: AbortSignal): Promise<void> {
    using linked = linkSignals(signal, this.#stop.signal)
    this.#acquiring = this.#acquire(linked.signal ?? signal)
    await this.#acquiring
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    let told: string | undefined
    while (!(await this.#try(signal))) {
      const { holder } = this.#lock
      if (holder !== undefined && holder !== told) {
        this.#log.info({ leader: holder }, 'another process leads; this one stands by')
        told = holder
      }
      const { retryPeriod } = this.#times
      await this.#clock.sleep(retryPeriod * (1 + JITTER * this.#clock.random()), { signal })
    }
    if (signal.aborted) {
      await this.#release()
      signal.throwIfAborted()
    }
    this.#status.value = 1
    this.#log.info('this process leads')
    this.#renewing = this.#renew()
  }

  /** Stops renewing the lease. With `releaseOnStop`, a leader releases it. */
  async stop(): Promise<void> {
    const led = this.#clock.monotonic() < this.#until && !this.#loss
    this.#stop.abort(new HomeostatError('LEADER_ELECTION_STOPPED', 'the leader election stops'))
    this.#deadline?.cancel()
    await this.#acquiring?.catch(() => {})
    await this.#renewing
    this.#deadline?.cancel()
    this.#until = Number.NEGATIVE_INFINITY
    this.#status.value = 0
    if (led && this.#releaseOnStop) await this.#release()
  }

  async #release(): Promise<void> {
    this.#until = Number.NEGATIVE_INFINITY
    this.#deadline?.cancel()
    try {
      await this.#within(undefined, (limit) => this.#lock.release(limit))
      this.#log.info('released the lease')
    } catch (error) {
      this.#log.warn({ error }, 'the lease could not be released: other processes wait until it expires')
    }
  }

  async #renew(): Promise<void> {
    const { signal } = this.#stop
    const pause = (): Promise<boolean> =>
      this.#clock.sleep(this.#times.retryPeriod, { signal }).then(
        () => true,
        () => false,
      )
    while (!this.#loss && (await pause())) {
      // After a pause of the whole process timers fire late, so the clock decides.
      if (this.#clock.monotonic() >= this.#until) this.#lose()
      else if (!(await this.#try(signal).catch(() => true))) this.#loseIfTaken()
    }
  }

  /** Tries once to acquire or renew the lease. False where another process holds it, or the server did not answer. */
  async #try(signal: AbortSignal): Promise<boolean> {
    try {
      const sent = await this.#within(signal, (limit, linked) => this.#lock.take(linked, limit))
      if (sent === undefined) return false
      this.#leadFrom(sent)
      return true
    } catch (error) {
      signal.throwIfAborted()
      if (isConflict(error) || isAlreadyExists(error)) return false
      this.#log.warn({ error }, 'the lease could not be read or written')
      return false
    }
  }

  /** While this process could not renew the lease, another may have held it, so a lost lease is not acquired again. */
  #leadFrom(sent: number): void {
    const now = this.#clock.monotonic()
    if (this.#renewing && now >= this.#until) {
      this.#lose()
      return
    }
    this.#until = sent + this.#times.renewDeadline
    this.#deadline?.cancel()
    this.#deadline = this.#clock.schedule(Math.max(0, this.#until - now), () => this.#lose())
  }

  #loseIfTaken(): void {
    const { holder } = this.#lock
    if (holder !== undefined && holder !== this.#identity) this.#lose(`${holder} has it now`)
  }

  #lose(
    why = `it could not be renewed within ${this.#times.renewDeadline} ms: the server did not answer, or refused`,
  ): void {
    if (this.#loss) return
    this.#loss = new HomeostatError(
      'LEADER_ELECTION_LOST',
      `this process has lost the lease ${this.#name}: ${why}. It has stopped; start it again to stand by`,
    )
    this.#status.value = 0
    this.#deadline?.cancel()
    this.#log.error({ error: this.#loss }, 'the lease is lost')
    this.#stop.abort(this.#loss)
    this.#lostSignal.abort(this.#loss)
    this.#lost.reject(this.#loss)
  }

  /** Limits the time of a request, so that one that hangs leaves time for another. */
  async #within<T>(
    signal: AbortSignal | undefined,
    work: (limit: AbortSignal, linked: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const limit = new AbortController()
    const wait = this.#times.renewDeadline / 2
    using _ = this.#clock.schedule(wait, () =>
      limit.abort(new HomeostatError('LEASE_TIMEOUT', `no answer about the lease within ${wait} ms`)),
    )
    using ended = linkSignals(limit.signal, this.#lostSignal.signal)
    const last = ended.signal ?? limit.signal
    using linked = linkSignals(signal, last)
    return await work(last, linked.signal ?? last)
  }
}

function mustHold(holds: boolean, option: string, what: string): void {
  if (holds) return
  throw new HomeostatError('LEADER_ELECTION_OPTIONS_INVALID', `the option leaderElection.${option} ${what}`)
}
