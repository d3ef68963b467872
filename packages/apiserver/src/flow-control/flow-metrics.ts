import { Counters, Histograms, type Counter, type Exposition, type Histogram } from '../metrics/index.ts'

const PREFIX = 'apiserver_flowcontrol_'
const DURATIONS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30]
const LENGTHS = [0, 10, 25, 50, 100, 250, 500, 1000]
const OF_FLOW = ['flow_schema', 'priority_level']

/** The counters of the requests of one FlowSchema. */
export interface FlowCounters {
  readonly executing: Counter
  readonly executingSeats: Counter
  readonly waiting: Counter
  readonly waitingSeats: Counter
  readonly dispatched: Counter
  readonly seats: Histogram
  readonly lengths: () => Histogram
  readonly waited: (executed: boolean) => Histogram
  readonly execution: Histogram
  readonly watchStart: () => Histogram
  readonly rejected: (reason: string) => Counter
  readonly notAccommodated: () => Counter
}

/** The numbers of a priority level that metrics show. */
interface MeasuredLevel {
  readonly name: string
  readonly bounds: { readonly nominal: number; readonly lower: number; readonly upper: number }
  readonly limit: number
  readonly target: number
  readonly demand: {
    readonly most: number
    readonly average: number
    readonly deviation: number
    readonly smoothed: number
  }
}

/** The metrics of priority and fairness, under kube-apiserver's names. */
export class FlowMetrics {
  readonly #executing = gauge(
    'current_executing_requests',
    '[BETA] Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem',
  )
  readonly #executingSeats = gauge(
    'current_executing_seats',
    '[BETA] Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem',
  )
  readonly #waiting = gauge(
    'current_inqueue_requests',
    '[BETA] Number of requests currently pending in queues of the API Priority and Fairness subsystem',
  )
  readonly #waitingSeats = gauge(
    'current_inqueue_seats',
    '[ALPHA] Number of seats currently pending in queues of the API Priority and Fairness subsystem',
  )
  readonly #dispatched = new Counters(
    `${PREFIX}dispatched_requests_total`,
    '[BETA] Number of requests executed by API Priority and Fairness subsystem',
    OF_FLOW,
  )
  readonly #rejected = new Counters(
    `${PREFIX}rejected_requests_total`,
    '[BETA] Number of requests rejected by API Priority and Fairness subsystem',
    [...OF_FLOW, 'reason'],
  )
  readonly #notAccommodated = new Counters(
    `${PREFIX}request_dispatch_no_accommodation_total`,
    '[ALPHA] Number of times a dispatch attempt resulted in a non accommodation due to lack of available seats',
    OF_FLOW,
  )
  readonly #seats = new Histograms(
    `${PREFIX}work_estimated_seats`,
    '[ALPHA] Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness',
    OF_FLOW,
    [1, 2, 4, 8, 16, 32, 64, 100],
  )
  readonly #lengths = new Histograms(
    `${PREFIX}request_queue_length_after_enqueue`,
    '[ALPHA] Length of queue in the API Priority and Fairness subsystem, as seen by each request after it is enqueued',
    OF_FLOW,
    LENGTHS,
  )
  readonly #waited = new Histograms(
    `${PREFIX}request_wait_duration_seconds`,
    '[BETA] Length of time a request spent waiting in its queue',
    ['execute', ...OF_FLOW],
    DURATIONS,
  )
  readonly #execution = new Histograms(
    `${PREFIX}request_execution_seconds`,
    '[ALPHA] Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API Priority and Fairness subsystem',
    [...OF_FLOW, 'type'],
    DURATIONS,
  )

  /** The counters of a FlowSchema and its level. Those for rare events have a series only once they happened. */
  countersOf(schema: string, level: string): FlowCounters {
    let served: Histogram | undefined
    let lengths: Histogram | undefined
    return {
      executing: this.#executing.of(schema, level),
      executingSeats: this.#executingSeats.of(schema, level),
      waiting: this.#waiting.of(schema, level),
      waitingSeats: this.#waitingSeats.of(schema, level),
      dispatched: this.#dispatched.of(schema, level),
      seats: this.#seats.of(schema, level),
      lengths: () => (lengths ??= this.#lengths.of(schema, level)),
      waited: (executed) =>
        executed
          ? (served ??= this.#waited.of('true', schema, level))
          : this.#waited.of('false', schema, level),
      execution: this.#execution.of(schema, level, 'regular'),
      watchStart: () => this.#execution.of(schema, level, 'watch'),
      rejected: (reason) => this.#rejected.of(schema, level, reason),
      notAccommodated: () => this.#notAccommodated.of(schema, level),
    }
  }

  write(to: Exposition, levels: readonly MeasuredLevel[], fairShare: number): void {
    for (const family of [
      this.#executing,
      this.#executingSeats,
      this.#waiting,
      this.#waitingSeats,
      this.#dispatched,
      this.#rejected,
      this.#notAccommodated,
      this.#seats,
      this.#lengths,
      this.#waited,
      this.#execution,
    ]) {
      family.write(to)
    }
    to.family(
      `${PREFIX}seat_fair_frac`,
      'gauge',
      "[ALPHA] Fair fraction of server's concurrency to allocate to each priority level that can use it",
    )('', [], fairShare)
    for (const [name, help, value] of LEVEL_GAUGES) {
      const write = to.family(`${PREFIX}${name}`, 'gauge', help)
      for (const level of levels) write('', [['priority_level', level.name]], value(level))
    }
  }
}

type LevelGauge = readonly [name: string, help: string, value: (level: MeasuredLevel) => number]

const LEVEL_GAUGES: readonly LevelGauge[] = [
  [
    'nominal_limit_seats',
    '[BETA] Nominal number of execution seats configured for each priority level',
    ({ bounds }) => bounds.nominal,
  ],
  [
    'lower_limit_seats',
    '[ALPHA] Configured lower bound on number of execution seats available to each priority level',
    ({ bounds }) => bounds.lower,
  ],
  [
    'upper_limit_seats',
    '[ALPHA] Configured upper bound on number of execution seats available to each priority level',
    ({ bounds }) => bounds.upper,
  ],
  [
    'current_limit_seats',
    '[ALPHA] current derived number of execution seats available to each priority level',
    ({ limit }) => limit,
  ],
  ['target_seats', '[ALPHA] Seat allocation targets', ({ target }) => target],
  [
    'demand_seats_high_watermark',
    '[ALPHA] High watermark, over last adjustment period, of demand_seats',
    ({ demand }) => demand.most,
  ],
  [
    'demand_seats_average',
    '[ALPHA] Time-weighted average, over last adjustment period, of demand_seats',
    ({ demand }) => demand.average,
  ],
  [
    'demand_seats_stdev',
    '[ALPHA] Time-weighted standard deviation, over last adjustment period, of demand_seats',
    ({ demand }) => demand.deviation,
  ],
  ['demand_seats_smoothed', '[ALPHA] Smoothed seat demands', ({ demand }) => demand.smoothed],
]

function gauge(name: string, help: string): Counters {
  return new Counters(`${PREFIX}${name}`, help, OF_FLOW, 'gauge')
}
