import type { ApiRequest, Clock } from '@homeostat/api'
import type { Attributes, User } from '../auth/index.ts'
import type { Exposition } from '../metrics/index.ts'
import { storedObject, type Registry, type ServerObject } from '../registry/index.ts'
import { objectOf, textOf } from '../schema/index.ts'
import { estimateSeats } from './estimate-seats.ts'
import { byPrecedence, flowOf, type Flow } from './flow.ts'
import { FlowMetrics } from './flow-metrics.ts'
import { FlowsOfUser } from './flows-of-user.ts'
import { boundsOf, readLevel } from './level-configuration.ts'
import { PriorityLevel, type RunningRequest } from './priority-level.ts'
import { allocateSeats, fairShare } from './seat-allocation.ts'
import { Turns } from './turns.ts'

const GROUP = 'flowcontrol.apiserver.k8s.io'
const CATCH_ALL = 'catch-all'
const MANDATORY: readonly string[] = ['exempt', CATCH_ALL]
/** How often seats are moved between levels, in milliseconds. */
const ADJUSTMENT_PERIOD = 10_000

export interface FlowControlOptions {
  /** How many requests run at a time, together for all limited levels. */
  readonly seats: number
  /** The objects that are in effect even if they are not stored: those named `exempt` and `catch-all`. */
  readonly mandatory: () => readonly ServerObject[]
}

/** A request that asks for a seat. */
export interface LimitedRequest {
  readonly request: ApiRequest
  readonly user: User
  readonly attributes: Attributes
}

/** Decides which requests run now. The stored FlowSchemas and PriorityLevelConfigurations are in effect from the next request on. */
export class FlowControl {
  readonly #registry: Registry
  readonly #clock: Clock
  readonly #options: FlowControlOptions
  readonly #turns: Turns
  readonly #metrics = new FlowMetrics()
  #levels: ReadonlyMap<string, PriorityLevel> = new Map()
  #flows: readonly Flow[] = []
  #users = new WeakMap<User, FlowsOfUser>()
  #isStale = true
  #adjusted = 0
  #fairShare = 0

  constructor(registry: Registry, options: FlowControlOptions) {
    this.#registry = registry
    this.#clock = registry.clock
    this.#options = options
    this.#turns = new Turns(registry.clock)
    registry.observe(({ resource }) => {
      if (resource.group === GROUP) this.#isStale = true
    })
  }

  /** The levels, by name. */
  get levels(): readonly PriorityLevel[] {
    this.#refresh()
    return [...this.#levels.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** The flow of a request: that of the first FlowSchema that matches it. */
  classify(user: User, attributes: Attributes): Flow {
    this.#refresh()
    let flows = this.#users.get(user)
    if (!flows) this.#users.set(user, (flows = new FlowsOfUser(user, this.#flows)))
    const found = flows.find(attributes)
    if (found) return found
    const last = this.#flows.find(({ schema }) => schema === CATCH_ALL)
    if (!last) throw new TypeError('there is no FlowSchema catch-all')
    return last
  }

  /**
   * Begins a request of a flow, or puts it into a queue; undefined where it is refused. For a request in a queue, calls `wait` with
   * a function by which the caller gives up. `wait` returns the function that is called when the request begins or is refused.
   */
  begin(
    flow: Flow,
    { request, user, attributes }: LimitedRequest,
    wait: (cancel: (isTimeOut: boolean) => void) => (running: RunningRequest | undefined) => void,
  ): RunningRequest | 'waits' | undefined {
    const now = this.#clock.monotonic()
    if (now - this.#adjusted >= ADJUSTMENT_PERIOD) this.#moveSeats(now, true)
    const { level } = flow
    const seats = level.configuration.isExempt
      ? 1
      : estimateSeats(request, attributes, this.#registry, level.mostSeats)
    flow.counters.seats.observe(seats)
    return level.begin({ flow, user, attributes, seats }, now, wait)
  }

  /** Ends a request that has begun. */
  end(running: RunningRequest): void {
    const { flow, attributes } = running.request
    const now = this.#clock.monotonic()
    const { execution, watchStart } = flow.counters
    const histogram = attributes.verb === 'watch' ? watchStart() : execution
    histogram.observe((now - running.started) / 1000)
    running.level.end(running, now)
  }

  /** Counts a refused request. Returns after how many seconds its client should try again. */
  refused({ level }: Flow): number {
    level.retryAfter.refused(this.#clock.now())
    return level.retryAfter.seconds
  }

  write(to: Exposition): void {
    this.#refresh()
    // Every flow has its series, whether it had requests or not.
    for (const { counters } of this.#flows) void counters
    this.#metrics.write(to, this.levels, this.#fairShare)
  }

  #refresh(): void {
    if (!this.#isStale) return
    this.#isStale = false
    const now = this.#clock.monotonic()
    const read = this.#objects('prioritylevelconfigurations', 'PriorityLevelConfiguration').map(readLevel)
    const shares = read.reduce((sum, level) => sum + level.shares, 0)
    const levels = new Map<string, PriorityLevel>()
    for (const one of read) {
      const known = this.#levels.get(one.name)
      const level = known ?? new PriorityLevel(one.name, one, this.#turns, now)
      known?.configure(one)
      level.bounds = boundsOf(one, this.#options.seats, shares)
      levels.set(one.name, level)
    }
    this.#levels = levels
    this.#flows = this.#objects('flowschemas', 'FlowSchema')
      .flatMap((schema) => {
        const { name } = objectOf(objectOf(schema['spec'])['priorityLevelConfiguration'])
        const level = levels.get(textOf(name))
        return level ? [flowOf(schema, level, this.#metrics)] : []
      })
      .sort(byPrecedence)
    this.#users = new WeakMap()
    this.#moveSeats(now, false)
  }

  /** The stored objects of a kind, and the mandatory ones that are not stored. */
  #objects(plural: string, kind: string): readonly ServerObject[] {
    const stored = this.#registry.store.snapshot({ collection: `${GROUP}/${plural}` }).map(storedObject)
    const names = new Set(stored.map(({ metadata }) => metadata.name))
    if (MANDATORY.every((name) => names.has(name))) return stored
    const missing = this.#options
      .mandatory()
      .filter((object) => object.kind === kind && !names.has(object.metadata.name))
    return [...stored, ...missing]
  }

  /** Gives each level its seats for the next period: those that others do not need go to levels that could use them. */
  #moveSeats(now: number, isNextPeriod: boolean): void {
    this.#adjusted = now
    const levels = [...this.#levels.values()]
    let nominal = 0
    let exempt = 0
    for (const level of levels) {
      if (isNextPeriod) level.demand.next(now)
      nominal += level.bounds.nominal
      if (level.configuration.isExempt) exempt += neededSeats(level)
    }
    const limited = levels.filter(({ configuration }) => !configuration.isExempt)
    const least = limited.reduce((sum, { bounds }) => sum + bounds.lower, 0)
    const needed = limited.reduce((sum, level) => sum + neededSeats(level), 0)
    const left = nominal - exempt
    const claims = limited.map((level) => {
      const lower = neededSeats(level)
      level.target = Math.max(lower, level.demand.smoothed)
      return { lower, upper: level.bounds.upper, target: level.target }
    })
    const allocated = left > needed ? allocateSeats(nominal, claims) : undefined
    this.#fairShare = (allocated && fairShare(nominal, claims)) ?? 0
    // Where there are too few seats, each level gets its lower bound and a part of what it needs beyond.
    const part = left <= least ? 0 : (left - least) / (needed - least)
    for (const [index, level] of limited.entries()) {
      const { lower } = level.bounds
      const own =
        left > needed ? (allocated?.[index] ?? level.limit) : lower + (neededSeats(level) - lower) * part
      level.setLimit(Math.round(own), now)
    }
    for (const level of levels) if (level.configuration.isExempt) level.setLimit(neededSeats(level), now)
  }
}

/** The seats that a level keeps: what it used in the last period, within its own share. An exempt level keeps what it used. */
function neededSeats({ bounds, demand, configuration }: PriorityLevel): number {
  const own = configuration.isExempt ? demand.most : Math.min(bounds.nominal, demand.most)
  return Math.max(bounds.lower, own)
}
