import type { Attributes, User } from '../auth/index.ts'
import type { FlowCounters } from './flow-metrics.ts'
import { RetryAfter } from './retry-after.ts'
import { SeatDemand } from './seat-demand.ts'
import { dealHand, flowHash } from './shuffle-sharding.ts'
import type { Turns } from './turns.ts'

/** The assumed duration of a request, in milliseconds, until it has ended and its real one is known. */
const EXPECTED_SERVICE = 3
/** The most flows whose queues are remembered. */
const MOST_HANDS = 10_000

/** How a level queues requests. */
export interface Queuing {
  readonly queues: number
  readonly handSize: number
  readonly lengthLimit: number
}

/** The seats that a level has at most, by its configuration. */
export interface SeatBounds {
  readonly nominal: number
  readonly lower: number
  readonly upper: number
}

/** The content of a PriorityLevelConfiguration. */
export interface LevelConfiguration {
  readonly uid: string
  readonly isExempt: boolean
  /** Undefined where requests without a seat are refused. */
  readonly queuing: Queuing | undefined
}

/** The properties of a flow that a level needs. */
export interface FlowAtLevel {
  readonly schema: string
  readonly counters: FlowCounters
  /** The name that distinguishes this flow from the others of its schema; empty where the schema has only one. */
  distinguisher(user: User, attributes: Attributes): string
}

/** A request that may have to wait. */
export interface LevelRequest {
  readonly flow: FlowAtLevel
  readonly user: User
  readonly attributes: Attributes
  readonly seats: number
}

/** A request that has its seats. */
export interface RunningRequest {
  readonly level: PriorityLevel
  readonly request: LevelRequest
  readonly arrived: number
  readonly started: number
  readonly queue: RequestQueue | undefined
}

/** A request in a queue. */
export interface WaitingRequest {
  readonly request: LevelRequest
  readonly arrived: number
  /** The progress of the level when the request came. */
  readonly arrivedAt: number
  readonly queue: RequestQueue
  /** Called when the request begins, or with undefined when it is refused. */
  readonly decide: (running: RunningRequest | undefined) => void
}

/** One of the queues of a level. */
export interface RequestQueue {
  readonly index: number
  readonly waiting: WaitingRequest[]
  running: number
  seatsInUse: number
  /** The progress of the level at which the next request of this queue is due. */
  due: number
}

/**
 * The requests of one priority level: those that run, and those that wait for seats. Requests are taken from the queues by fair
 * queuing: each queue has the progress at which its next request is due, and the work of its requests moves that
 * forward.
 */
export class PriorityLevel {
  readonly name: string
  readonly retryAfter = new RetryAfter()
  readonly demand: SeatDemand
  readonly running = new Set<RunningRequest>()
  bounds: SeatBounds = { nominal: 0, lower: 0, upper: 0 }
  target = 0
  seatsInUse = 0
  waitingCount = 0
  seatsWaiting = 0
  dispatched = 0
  rejected = 0
  timedOut = 0
  cancelled = 0
  #configuration: LevelConfiguration
  #limit = 0
  readonly #turns: Turns
  readonly #queues: RequestQueue[] = []
  #queueCount = 0
  /** The queues in which requests wait. The one that was served last stands last. */
  readonly #waitingQueues = new Set<RequestQueue>()
  /** How many queues have requests, waiting or running, and the seats of the running ones. */
  #busyQueues = 0
  #queuedSeatsInUse = 0
  readonly #hands = new Map<string, readonly number[]>()
  #choices = 0
  #progress = 0
  #lastTime: number

  constructor(name: string, configuration: LevelConfiguration, turns: Turns, now: number) {
    this.name = name
    this.#turns = turns
    this.#lastTime = now
    this.demand = new SeatDemand(now)
    this.#configuration = configuration
    this.configure(configuration)
  }

  get configuration(): LevelConfiguration {
    return this.#configuration
  }

  /** The queues. They are made for the first request: most levels of a server have none. */
  get queues(): readonly RequestQueue[] {
    while (this.#queues.length < this.#queueCount) {
      this.#queues.push({ index: this.#queues.length, waiting: [], running: 0, seatsInUse: 0, due: 0 })
    }
    return this.#queues
  }

  /** The seats that the level has now. */
  get limit(): number {
    return this.#limit
  }

  get isIdle(): boolean {
    return this.waitingCount === 0 && this.running.size === 0
  }

  /** The most seats that one request takes: not all, so that it need not wait for all others. */
  get mostSeats(): number {
    const { queuing } = this.#configuration
    const { nominal } = this.bounds
    if (!queuing) return Number.POSITIVE_INFINITY
    return Math.max(1, Math.min(Math.ceil(nominal * 0.15), Math.floor(nominal / queuing.handSize)))
  }

  /** Changes the configuration. Requests that wait stay in their queues. */
  configure(configuration: LevelConfiguration): void {
    this.#configuration = configuration
    this.#hands.clear()
    this.#queueCount = Math.max(this.#queueCount, configuration.queuing?.queues ?? 0)
  }

  setLimit(limit: number, now: number): void {
    this.#advance(now)
    this.#limit = limit
    this.#dispatch(now)
  }

  /**
   * Begins a request, or puts it into a queue; undefined where the request is refused. For a request in a queue, calls `wait` with a
   * function that takes it out again. `wait` returns the function that is called when the request begins or is refused.
   */
  begin(
    request: LevelRequest,
    now: number,
    wait: (cancel: (isTimeOut: boolean) => void) => WaitingRequest['decide'],
  ): RunningRequest | 'waits' | undefined {
    const { isExempt, queuing } = this.#configuration
    if (isExempt) return this.#run(request, now, now, undefined)
    if (!queuing) {
      if (this.#fits(request.seats)) return this.#run(request, now, now, undefined)
      this.#refuse(request, 'concurrency-limit')
      return undefined
    }
    this.#advance(now)
    const queue = this.#chooseQueue(request, queuing)
    if (this.waitingCount === 0 && this.#fits(request.seats) && !this.#turns.isOver(now)) {
      if (queue.running === 0) queue.due = this.#progress
      request.flow.counters.lengths().observe(1)
      return this.#run(request, now, now, queue)
    }
    const isFull = this.seatsInUse + this.seatsWaiting >= this.#limit
    if (isFull && queue.waiting.length >= queuing.lengthLimit) {
      this.#refuse(request, 'queue-full')
      return undefined
    }
    const waiting: WaitingRequest = {
      request,
      arrived: now,
      arrivedAt: this.#progress,
      queue,
      decide: wait((isTimeOut) => this.#cancel(waiting, isTimeOut)),
    }
    this.#enqueue(waiting, now)
    if (this.#fits(request.seats)) this.#turns.waitFor(this)
    return 'waits'
  }

  /** Releases the seats of a request that has ended. */
  end(running: RunningRequest, now: number): void {
    const { request, queue, started } = running
    const { seats, flow } = request
    this.#advance(now)
    this.running.delete(running)
    this.seatsInUse -= seats
    flow.counters.executing.count--
    flow.counters.executingSeats.count -= seats
    if (queue) {
      queue.running--
      queue.seatsInUse -= seats
      this.#queuedSeatsInUse -= seats
      // Replaces the expected time of the request by the time that it took.
      queue.due += seats * (now - started - EXPECTED_SERVICE)
      this.#keepDue(queue)
      if (queue.running === 0 && queue.waiting.length === 0) this.#busyQueues--
    }
    this.#noteDemand(now)
    if (this.waitingCount > 0) this.#dispatch(now)
  }

  takeTurn(now: number): void {
    this.#advance(now)
    this.#dispatch(now)
  }

  /** Begins the request that is due first, if it has its seats; further ones begin when it ends, or in the next turns. */
  #dispatch(now: number): void {
    while (this.waitingCount > 0) {
      const queue = this.#dueQueue()
      const head = queue?.waiting[0]
      if (!queue || !head) return
      if (!this.#fits(head.request.seats)) {
        head.request.flow.counters.notAccommodated().count++
        return
      }
      if (this.#turns.isOver(now)) {
        this.#turns.waitFor(this)
        return
      }
      this.#dequeue(head)
      // The queue that was served last is the last of those that are due at the same time.
      if (this.#waitingQueues.delete(queue) && queue.waiting.length > 0) this.#waitingQueues.add(queue)
      head.decide(this.#run(head.request, head.arrived, now, queue))
      this.#keepDue(queue)
      if (this.waitingCount > 0 && this.#turns.isMeasured) {
        this.#turns.waitFor(this)
        return
      }
    }
  }

  #run(request: LevelRequest, arrived: number, now: number, queue: RequestQueue | undefined): RunningRequest {
    const { seats, flow } = request
    const running: RunningRequest = { level: this, request, arrived, started: now, queue }
    this.running.add(running)
    this.seatsInUse += seats
    this.dispatched++
    flow.counters.executing.count++
    flow.counters.executingSeats.count += seats
    flow.counters.dispatched.count++
    if (!this.#configuration.isExempt) flow.counters.waited(true).observe((now - arrived) / 1000)
    if (queue) {
      if (queue.running === 0 && queue.waiting.length === 0) this.#busyQueues++
      queue.running++
      queue.seatsInUse += seats
      this.#queuedSeatsInUse += seats
      queue.due += seats * EXPECTED_SERVICE
    }
    this.#noteDemand(now)
    return running
  }

  #enqueue(waiting: WaitingRequest, now: number): void {
    const { queue, request } = waiting
    const { counters } = request.flow
    if (queue.waiting.length === 0 && queue.running === 0) {
      queue.due = this.#progress
      this.#busyQueues++
    }
    queue.waiting.push(waiting)
    this.#waitingQueues.add(queue)
    this.waitingCount++
    this.seatsWaiting += request.seats
    counters.waiting.count++
    counters.waitingSeats.count += request.seats
    counters.lengths().observe(queue.waiting.length)
    this.#keepDue(queue)
    this.#noteDemand(now)
  }

  /** Takes a request out of its queue. */
  #dequeue({ queue, request }: WaitingRequest, index = 0): void {
    queue.waiting.splice(index, 1)
    this.waitingCount--
    this.seatsWaiting -= request.seats
    request.flow.counters.waiting.count--
    request.flow.counters.waitingSeats.count -= request.seats
    if (queue.waiting.length > 0) return
    this.#waitingQueues.delete(queue)
    if (queue.running === 0) this.#busyQueues--
  }

  #cancel(waiting: WaitingRequest, isTimeOut: boolean): void {
    const index = waiting.queue.waiting.indexOf(waiting)
    if (index < 0) return
    const now = this.#turns.now()
    this.#advance(now)
    this.#dequeue(waiting, index)
    this.#keepDue(waiting.queue)
    this.#noteDemand(now)
    if (isTimeOut) this.timedOut++
    else this.cancelled++
    this.#refuse(waiting.request, 'time-out', now - waiting.arrived)
    waiting.decide(undefined)
    // A request that needs fewer seats may be the next.
    this.#dispatch(now)
  }

  #refuse({ flow }: LevelRequest, reason: string, waited = 0): void {
    flow.counters.waited(false).observe(waited / 1000)
    this.rejected++
    flow.counters.rejected(reason).count++
  }

  /** A request that needs more seats than there are runs alone. */
  #fits(seats: number): boolean {
    if (seats > this.#limit) return this.running.size === 0
    return this.seatsInUse + seats <= this.#limit
  }

  /** The queue with the least waiting work among those of the flow. */
  #chooseQueue({ flow, user, attributes }: LevelRequest, queuing: Queuing): RequestQueue {
    const hand = this.#handOf(flow.schema, flow.distinguisher(user, attributes), queuing)
    const first = this.#choices++
    let best: RequestQueue | undefined
    let least = Number.POSITIVE_INFINITY
    for (let place = 0; place < hand.length; place++) {
      const queue = this.queues[hand[(first + place) % hand.length] ?? 0]
      if (!queue) continue
      const work = queue.waiting.reduce((sum, { request }) => sum + request.seats, 0)
      if (work >= least) continue
      best = queue
      least = work
    }
    if (!best) throw new TypeError(`the priority level ${this.name} has no queues`)
    return best
  }

  #handOf(schema: string, distinguisher: string, { queues, handSize }: Queuing): readonly number[] {
    const key = `${schema}\0${distinguisher}`
    let hand = this.#hands.get(key)
    if (hand) return hand
    if (this.#hands.size >= MOST_HANDS) this.#hands.clear()
    hand = dealHand(flowHash(schema, distinguisher), queues, handSize)
    this.#hands.set(key, hand)
    return hand
  }

  #dueQueue(): RequestQueue | undefined {
    let first: RequestQueue | undefined
    let least = Number.POSITIVE_INFINITY
    for (const queue of this.#waitingQueues) {
      const end = queue.due + (queue.waiting[0]?.request.seats ?? 0) * EXPECTED_SERVICE
      if (end >= least) continue
      first = queue
      least = end
    }
    return first
  }

  /** A queue is never due before its first request came, so that an idle queue collects no credit. */
  #keepDue(queue: RequestQueue): void {
    const [head] = queue.waiting
    if (head && queue.due < head.arrivedAt) queue.due = head.arrivedAt
  }

  /**
   * Moves the progress forward by the share of the seats in use that each queue with requests has. Where requests wait for a turn of the
   * event loop, fewer seats are in use than there are.
   */
  #advance(now: number): void {
    const time = now - this.#lastTime
    this.#lastTime = now
    if (this.#busyQueues === 0 || time <= 0) return
    this.#progress += (time * this.#queuedSeatsInUse) / this.#busyQueues
  }

  #noteDemand(now: number): void {
    this.demand.set(this.seatsInUse + this.seatsWaiting, now)
  }
}
