import type { Clock } from '@homeostat/api'
import type { WorkItem } from '../queue/index.ts'
import { type Cause, describeCause, describeCauses, messageOf } from '../reconcile/index.ts'
import {
  SPAN_CONSUMER,
  SPAN_ERROR,
  type Span,
  type SpanContext,
  TRACER,
  type Tracing,
} from '../telemetry/tracing.ts'
import type { ReconcileReport } from './environment.ts'

/**
 * The spans of one controller: each event, the time in the queue, and the reconcile, which is linked to the
 * events that led to it. Spans that are made while it runs, those of requests among them, stand below it.
 */
export class ReconcileSpans {
  readonly #tracing: Tracing
  readonly #controller: string
  readonly #clock: Clock
  readonly #events = new WeakMap<Cause, SpanContext>()

  constructor(tracing: Tracing, controller: string, clock: Clock) {
    this.#tracing = tracing
    this.#controller = controller
    this.#clock = clock
  }

  /** An event has made a request. */
  event(cause: Cause, key: string): void {
    if (this.#events.has(cause)) return
    const now = this.#clock.now()
    const span = this.#tracer.startSpan(`event ${this.#controller}`, {
      root: true,
      startTime: now,
      attributes: { ...this.#attributes(key), 'homeostat.cause': describeCause(cause) },
    })
    span.end(now)
    this.#events.set(cause, span.spanContext())
  }

  /** Calls the reconcile in a span, which `end` ends. */
  begin(item: WorkItem<Cause>, reconcileID: string): ReconcileSpan {
    const now = this.#clock.now()
    const waitedFrom = now - item.waited
    const links = item.causes.flatMap((cause) => {
      const context = this.#events.get(cause)
      return context ? [{ context }] : []
    })
    const attributes = {
      ...this.#attributes(item.key),
      'homeostat.reconcile_id': reconcileID,
      'homeostat.causes': describeCauses(item.causes),
    }
    const options = { root: true, kind: SPAN_CONSUMER, startTime: waitedFrom, links, attributes }
    const span = this.#tracer.startSpan(`reconcile ${this.#controller}`, options)
    const context: unknown = this.#tracing.trace.setSpan(this.#tracing.context.active(), span)
    this.#tracer.startSpan(`queue ${this.#controller}`, { startTime: waitedFrom }, context).end(now)
    return {
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

  #attributes(key: string): Record<string, string> {
    return { 'homeostat.controller': this.#controller, 'homeostat.object': key }
  }

  get #tracer() {
    return this.#tracing.trace.getTracer(TRACER)
  }
}

/** The span of a reconcile under way. */
export interface ReconcileSpan {
  call<T>(reconcile: () => T): T
  end(report: ReconcileReport): void
}
