import { HomeostatError, milliseconds, type Clock, type Duration } from '@homeostat/api'
import type { Logger } from '../telemetry/index.ts'
import type { GroupMember } from './group-member.ts'

/**
 * The controllers and runnables of a manager, from their start to their orderly end: those that need no leader
 * start first and stop last.
 */
export class RunnableGroup {
  readonly #members = new Map<string, GroupMember>()
  readonly #clock: Clock
  readonly #log: Logger
  readonly #failed = Promise.withResolvers<never>()
  /** The members that were started and wait for their first lists. */
  readonly #starting = new Set<string>()
  #phase: 'waiting' | 'withoutLeader' | 'leading' | 'stopping' = 'waiting'

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock
    this.#log = logger
    this.#failed.promise.catch(() => {})
  }

  /** Rejects when one of them cannot run. */
  get failed(): Promise<never> {
    return this.#failed.promise
  }

  /** The members that wait for their first lists, without those that were not started. */
  get starting(): readonly string[] {
    return [...this.#starting]
  }

  /** Adds a member, and starts it if its group has started. */
  add(member: GroupMember): void {
    this.#members.set(member.name, member)
    if (this.#phase === 'leading' || (this.#phase === 'withoutLeader' && !member.needsLeader))
      this.#run(member)
    else if (this.#phase === 'withoutLeader' && member.warmsUp) this.#warmUp(member)
  }

  /** Ends one member. Resolves when its running work has ended; with false when no member has the name. */
  async remove(name: string): Promise<boolean> {
    const member = this.#members.get(name)
    if (!member) return false
    await member.drain()
    this.#members.delete(name)
    this.#starting.delete(name)
    return true
  }

  /** Starts the members that need no leader, and the sources of those that warm up. */
  startWithoutLeader(): void {
    this.#phase = 'withoutLeader'
    for (const member of this.#members.values()) {
      if (!member.needsLeader) this.#run(member)
      else if (member.warmsUp) this.#warmUp(member)
    }
  }

  /** Starts the others. */
  startLeading(): void {
    this.#phase = 'leading'
    for (const member of this.#members.values()) if (member.needsLeader) this.#run(member)
  }

  /** Resolves when all members have begun their work. */
  async synced(): Promise<void> {
    await Promise.all([...this.#members.values()].map(({ synced }) => synced))
  }

  /**
   * Starts no further work, and waits at most `timeout` for the running work: first of the members that need the
   * leader, then of the others. Rejects with code `MANAGER_STOP_TIMEOUT` when some work was given up. `hurry` ends
   * the wait at once.
   */
  async stop(timeout: Duration | 'unlimited', hurry?: Promise<never>): Promise<void> {
    this.#phase = 'stopping'
    const givenUp = new Set<string>()
    let reason: HomeostatError | undefined
    const abort = (): void => {
      reason ??= new HomeostatError('MANAGER_STOPPED', 'the manager stops and no longer waits')
      for (const member of this.#members.values()) {
        for (const name of member.underWay()) givenUp.add(name)
        member.abort(reason)
      }
    }
    const timer = timeout === 'unlimited' ? undefined : this.#clock.schedule(milliseconds(timeout), abort)
    hurry?.catch(abort)
    for (const needsLeader of [true, false]) {
      const group = [...this.#members.values()].filter((member) => member.needsLeader === needsLeader)
      const draining = group.map((member) => member.drain())
      if (reason) for (const member of group) member.abort(reason)
      await Promise.allSettled(draining)
    }
    timer?.cancel()
    for (const member of this.#members.values()) for (const name of member.underWay()) givenUp.add(name)
    if (givenUp.size === 0) return
    this.#log.error({ underWay: [...givenUp] }, 'aborted work that did not end in time')
    throw new HomeostatError(
      'MANAGER_STOP_TIMEOUT',
      `the manager stopped although ${[...givenUp].join(', ')} had not ended within ${timeout}: pass the context's signal to what they wait for, or raise gracefulShutdownTimeout`,
    )
  }

  #run(member: GroupMember): void {
    member.run().catch((error: unknown) => {
      if (this.#phase === 'stopping')
        this.#log.error({ error }, 'a controller or runnable failed while the manager stopped')
      this.#failed.reject(error)
    })
    this.#follow(member)
  }

  #warmUp(member: GroupMember): void {
    member.warmUp().catch((error: unknown) => this.#failed.reject(error))
    this.#follow(member)
  }

  #follow(member: GroupMember): void {
    this.#starting.add(member.name)
    void member.warmUp().then(
      () => this.#starting.delete(member.name),
      () => {},
    )
  }
}
