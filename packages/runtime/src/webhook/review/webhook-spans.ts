import { messageOf } from '../../reconcile/index.ts'
import { SPAN_ERROR, TRACER } from '../../telemetry/index.ts'
import type { ResolvedEnvironment } from './environment.ts'

/** The number that OpenTelemetry gives a span of a server. */
const SPAN_SERVER = 1

/** Calls a function in a new span, if there is tracing. Spans of its requests are children of that span. */
export async function inWebhookSpan<T extends { readonly status: number }>(
  { tracing, clock }: ResolvedEnvironment,
  path: string,
  call: () => Promise<T>,
): Promise<T> {
  if (!tracing) return call()
  const span = tracing.trace.getTracer(TRACER).startSpan(`webhook ${path}`, {
    kind: SPAN_SERVER,
    startTime: clock.now(),
    attributes: { 'homeostat.webhook': path },
  })
  try {
    const context = tracing.trace.setSpan(tracing.context.active(), span)
    const answer = await tracing.context.with(context, call)
    span.setAttribute('http.response.status_code', answer.status)
    return answer
  } catch (error) {
    span.setStatus({ code: SPAN_ERROR, message: messageOf(error) })
    throw error
  } finally {
    span.end(clock.now())
  }
}
