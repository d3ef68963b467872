import type { Clock } from '@homeostat/api'
import type { WorkItem } from '../queue/index.ts'
import { type Cause, describeCause, describeCauses, messageOf } from '../reconcile/index.ts'
import { type Span, SPAN_CONSUMER, SPAN_ERROR, TRACER, type Tracing } from '../telemetry/index.ts'
import type { ReconcileReport } from './environment.ts'

/**
 * The spans of one controller, each the child of the one before: the event, the time in the queue, the reconcile, and
 * the spans that are created while it runs, such as those of requests. If several events became one reconcile, the
 * first is the root of its trace, and the reconcile is linked to the others. A retry begins its own trace.
 */
export class ReconcileSpans {
  readonly #tracing: Tracing
  readonly #controller: string
  readonly #clock: Clock
  readonly #events = new WeakMap<Cause, Span>()

  constructor(tracing: Tracing, controller: string, clock: Clock) {
    this.#tracing = tracing
    this.#controller = controller
    this.#clock = clock
  }

  /** Begins a trace for a request that an event caused. */
  event(cause: Cause, key: string): void {
    if (this.#events.has(cause)) return
    const now = this.#clock.now()
    const span = this.#tracer.startSpan(`event ${this.#controller}`, {
      root: true,
      startTime: now,
      attributes: { ...this.#attributes(key), 'homeostat.cause': describeCause(cause) },
    })
    span.end(now)
    this.#events.set(cause, span)
  }

  /** Calls the reconcile in a span, which `end` ends. */
  begin(item: WorkItem<Cause>, reconcileID: string): ReconcileSpan {
    const now = this.#clock.now()
    const waitedFrom = now - item.waited
    const [event, ...others] = item.causes.flatMap((cause) => this.#events.get(cause) ?? [])
    const links = others.map((other) => ({ context: other.spanContext() }))
    const attributes = {
      ...this.#attributes(item.key),
      'homeostat.reconcile_id': reconcileID,
      'homeostat.causes': describeCauses(item.causes),
    }
    const queue = this.#tracer.startSpan(
      `queue ${this.#controller}`,
      { root: !event, startTime: waitedFrom, attributes: this.#attributes(item.key) },
      event && this.#below(event),
    )
    queue.end(now)
    const span = this.#tracer.startSpan(
      `reconcile ${this.#controller}`,
      { kind: SPAN_CONSUMER, startTime: now, links, attributes },
      this.#below(queue),
    )
    const context = this.#below(span)
    return {
      traceID: span.spanContext().traceId,
      call: (reconcile) => this.#tracing.context.with(context, reconcile),
      end: (report) => this.#end(span, report),
    }
  }

  #end(span: Span, { result, error, next }: ReconcileReport): void {
    span.setAttribute('homeostat.result', result)
    if (next !== undefined) span.setAttribute('homeostat.next_ms', next)
    if (error !== undefined && result !== 'conflict') {
      const thrown = error instanceof Error ? error : new Error(messageOf(error))
      span.recordException(thrown)
      span.setStatus({ code: SPAN_ERROR, message: thrown.message })
    }
    span.end(this.#clock.now())
  }

  #below(span: Span): unknown {
    return this.#tracing.trace.setSpan(this.#tracing.context.active(), span)
  }

  #attributes(key: string): Record<string, string> {
    return { 'homeostat.controller': this.#controller, 'homeostat.object': key }
  }

  get #tracer() {
    return this.#tracing.trace.getTracer(TRACER)
  }
}

/** The span of a reconcile under way. */
export interface ReconcileSpan {
  readonly traceID: string
  call<T>(reconcile: () => T): T
  end(report: ReconcileReport): void
}
