import type { Clock } from '@homeostat/api'
import { SPAN_CLIENT, SPAN_ERROR, TRACER, type Tracing } from '../telemetry/index.ts'
import type { Transport } from './transport.ts'
import { wrapTransport } from './wrap-transport.ts'

/**
 * The transport, with a span for each request, from sending it until the head of the answer. Its parent is the active
 * span, such as a reconcile's. Closing it closes the given transport.
 */
export function tracedTransport(transport: Transport, tracing: Tracing, clock: Clock): Transport {
  return wrapTransport(transport, async (request) => {
    const span = tracing.trace.getTracer(TRACER).startSpan(
      `${request.method} ${request.path}`,
      {
        kind: SPAN_CLIENT,
        startTime: clock.now(),
        attributes: {
          'http.request.method': request.method,
          'url.path': request.path,
          'server.address': transport.server,
        },
      },
      tracing.context.active(),
    )
    try {
      const response = await transport.send(request)
      span.setAttribute('http.response.status_code', response.status)
      if (response.status >= 400) span.setStatus({ code: SPAN_ERROR })
      return response
    } catch (error) {
      if (error instanceof Error) span.recordException(error)
      span.setStatus({ code: SPAN_ERROR, message: 'no answer came' })
      throw error
    } finally {
      span.end(clock.now())
    }
  })
}
