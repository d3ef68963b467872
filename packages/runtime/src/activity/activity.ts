import { checkOptionNames, HomeostatError, optionNames, type Clock } from '@homeostat/api'
import type { Activities, ActivityEvent } from './activity-event.ts'
import { queueState, type QueueSource } from './queue-state.ts'

export interface ActivityOptions {
  /** How many events are kept; the oldest are dropped first. Default: 5000. */
  limit?: number | undefined
}

const ACTIVITY_OPTIONS = optionNames<ActivityOptions>('Activity', { limit: true })

/** How often the state of a queue is recorded at most, in milliseconds. */
const QUEUE_INTERVAL = 200
/** The interval for a queue with more than 1000 requests, which takes longer to record. */
const LONG_QUEUE_INTERVAL = 2000
const LONG_QUEUE = 1000

/** Called for each event as it happens. It must not throw. */
export type ActivityListener = (event: ActivityEvent) => void

/**
 * Records what a manager does: reconciles that start and end, with their causes and writes, and the queues of its controllers.
 * Give it to a manager as `activity`. It keeps the last events, and calls listeners for new ones, in order and without gaps.
 * Times come from the manager's clock. It holds names of objects and of fields, and the errors and log lines of reconciles, but no value of an object.
 */
export class Activity {
  readonly #limit: number
  readonly #events: ActivityEvent[] = []
  readonly #listeners = new Set<ActivityListener>()
  /** Queues that changed since they were last recorded. */
  readonly #changed = new Map<string, QueueSource>()
  #waits = false
  #sequence = 0

  constructor(options: ActivityOptions = {}) {
    checkOptionNames(options, ACTIVITY_OPTIONS)
    const { limit = 5000 } = options
    if (!Number.isInteger(limit) || limit < 1) {
      throw new HomeostatError(
        'ACTIVITY_LIMIT',
        `the limit of an Activity is ${String(limit)}: give a whole number from 1 on`,
      )
    }
    this.#limit = limit
  }

  /** The events that are kept, from the oldest. With `after`, those with a higher sequence number. */
  events(after = 0): readonly ActivityEvent[] {
    const first = this.#events[0]?.sequence ?? 0
    return this.#events.slice(Math.max(0, after + 1 - first))
  }

  /** Calls the listener for each event from now on, until the result is disposed of. */
  listen(listener: ActivityListener): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) }
  }

  /** Records what a controller did. For the manager. */
  record(clock: Clock, what: Activities): void {
    const event = { sequence: ++this.#sequence, at: clock.now(), ...what }
    this.#events.push(event)
    // Removing many at a time keeps the cost of each event constant.
    if (this.#events.length > this.#limit + Math.max(64, this.#limit / 8))
      this.#events.splice(0, this.#events.length - this.#limit)
    for (const listener of this.#listeners) listener(event)
  }

  /** Records the state of a queue soon: changes in quick succession become one event. For the manager. */
  queueChanged(clock: Clock, controller: string, queue: QueueSource): void {
    this.#changed.set(controller, queue)
    if (this.#waits) return
    this.#waits = true
    const interval = queue.size > LONG_QUEUE ? LONG_QUEUE_INTERVAL : QUEUE_INTERVAL
    clock.schedule(interval, () => {
      this.#waits = false
      for (const [name, source] of this.#changed) this.record(clock, queueState(name, source, clock))
      this.#changed.clear()
    })
  }
}
