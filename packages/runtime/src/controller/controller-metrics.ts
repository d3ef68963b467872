import type { Clock } from '@homeostat/api'
import type { WorkQueue } from '../queue/index.ts'
import type { MetricsRegistry } from '../telemetry/index.ts'
import type { ReconcileReport } from './environment.ts'
import type { Decision } from './retry-policy.ts'

/** How long reconciles take, in seconds. */
const RECONCILE_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
]
/** How long requests wait and work takes, in seconds: from a hundred-millionth up to hours. */
const QUEUE_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 60, 300, 1200, 3600]

/** The result as the label that dashboards know. */
const RESULTS: Readonly<Record<ReconcileReport['result'], string>> = {
  success: 'success',
  requeue: 'requeue',
  conflict: 'requeue',
  requeueAfter: 'requeue_after',
  error: 'error',
  terminal: 'error',
  abandoned: 'error',
}

/**
 * The numbers of one controller, under the names that dashboards for controller-runtime know. A second
 * mount of a controller with the same name, on another cluster, adds to the same numbers.
 */
export class ControllerMetrics {
  readonly #totals: ReadonlyMap<string, { value: number }>
  readonly #errors: Readonly<Record<keyof typeof ERRORS, { value: number }>>
  readonly #active: { value: number }
  readonly #adds: { value: number }
  readonly #retries: { value: number }
  readonly #abandoned: { value: number }
  readonly #loops: { value: number }
  readonly #seconds: (value: number) => void
  readonly #queued: (value: number) => void
  readonly #worked: (value: number) => void
  readonly #collecting: Disposable[]

  constructor(
    registry: MetricsRegistry,
    controller: string,
    workers: number,
    queue: WorkQueue,
    clock: Clock,
  ) {
    const labels = { controller }
    const ofQueue = { name: controller, controller }
    registry
      .gauge(`${RUNTIME}max_concurrent_reconciles`, 'How many objects may be reconciled at the same time.')
      .set(workers, labels)
    this.#active = registry
      .gauge(`${RUNTIME}active_workers`, 'How many objects are being reconciled.')
      .with(labels)
    this.#abandoned = registry
      .gauge(
        'homeostat_abandoned_reconciles',
        'Reconciles that were given up and have not ended: their objects stay locked.',
      )
      .with(labels)
    this.#loops = registry
      .counter(
        'homeostat_reconcile_loops_total',
        'Objects whose reconciles cause each other in an endless loop.',
      )
      .with(labels)
    this.#seconds = registry
      .histogram(`${RUNTIME}reconcile_time_seconds`, 'How long reconciles took.', {
        buckets: RECONCILE_BUCKETS,
      })
      .with(labels)
    this.#adds = registry
      .counter(`${QUEUE}adds_total`, 'Requests that were added to the queue.')
      .with(ofQueue)
    this.#retries = registry.counter(`${QUEUE}retries_total`, 'Requests that were retried.').with(ofQueue)
    const buckets = { buckets: QUEUE_BUCKETS }
    this.#queued = registry
      .histogram(`${QUEUE}queue_duration_seconds`, 'How long ready requests waited for a worker.', buckets)
      .with(ofQueue)
    this.#worked = registry
      .histogram(`${QUEUE}work_duration_seconds`, 'How long a worker took for a request.', buckets)
      .with(ofQueue)
    const ages = (): number[] => queue.running.map((item) => (clock.monotonic() - item.since) / 1000)
    this.#collecting = [
      registry.collect(`${QUEUE}depth`, 'Requests that are ready.', 'gauge', (report) => {
        for (const { priority, count } of queue.depthByPriority()) report(count, { ...ofQueue, priority })
      }),
      registry.collect(
        `${QUEUE}unfinished_work_seconds`,
        'How long the running requests have taken so far, summed up.',
        'gauge',
        (report) =>
          report(
            ages().reduce((sum, age) => sum + age, 0),
            ofQueue,
          ),
      ),
      registry.collect(
        `${QUEUE}longest_running_processor_seconds`,
        'How long the longest-running request has taken so far.',
        'gauge',
        (report) => report(Math.max(0, ...ages()), ofQueue),
      ),
    ]
    const total = registry.counter(`${RUNTIME}reconcile_total`, 'Reconciles by their result.')
    this.#totals = new Map(
      Object.values(RESULTS).map((result) => [result, total.with({ ...labels, result })]),
    )
    const error = (name: keyof typeof ERRORS) =>
      registry.counter(`${RUNTIME}${name}`, ERRORS[name]).with(labels)
    this.#errors = {
      reconcile_errors_total: error('reconcile_errors_total'),
      terminal_reconcile_errors_total: error('terminal_reconcile_errors_total'),
      reconcile_timeouts_total: error('reconcile_timeouts_total'),
      reconcile_panics_total: error('reconcile_panics_total'),
    }
  }

  added(): void {
    this.#adds.value++
  }

  retried(): void {
    this.#retries.value++
  }

  started(waited: number): void {
    this.#active.value++
    this.#queued(waited / 1000)
  }

  /** `duration` in milliseconds. */
  ended(decision: Decision, duration: number, timedOut: boolean): void {
    this.#active.value--
    this.#seconds(duration / 1000)
    this.#worked(duration / 1000)
    const result = RESULTS[decision.result]
    this.#totals.get(result)!.value++
    if (result === 'error') this.#errors.reconcile_errors_total.value++
    if (decision.result === 'terminal') this.#errors.terminal_reconcile_errors_total.value++
    if (timedOut) this.#errors.reconcile_timeouts_total.value++
    if (isMistake(decision.error)) this.#errors.reconcile_panics_total.value++
  }

  /** `by` is 1 when a reconcile is given up, and -1 when it ends later. */
  abandoned(by: 1 | -1): void {
    this.#abandoned.value += by
  }

  /** An endless loop was found. */
  loop(): void {
    this.#loops.value++
  }

  /** The queue is closed: its metrics are no longer read. */
  dispose(): void {
    for (const collecting of this.#collecting) collecting[Symbol.dispose]()
  }
}

const RUNTIME = 'controller_runtime_'
const QUEUE = 'workqueue_'
const ERRORS = {
  reconcile_errors_total: 'Reconciles that failed.',
  terminal_reconcile_errors_total: 'Reconciles that failed permanently.',
  reconcile_timeouts_total: 'Reconciles that exceeded their timeout.',
  reconcile_panics_total: 'Reconciles that failed because of a bug in their code, such as a TypeError.',
} as const

/** Whether an error is a bug in the code, such as a TypeError: controller-runtime counts these as panics. */
function isMistake(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
}
