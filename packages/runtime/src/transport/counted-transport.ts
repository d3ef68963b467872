import type { MetricsRegistry } from '../telemetry/index.ts'
import type { Transport } from './transport.ts'
import { wrapTransport } from './wrap-transport.ts'

/** The transport, with its requests counted as `rest_client_requests_total`. Closing it closes the given transport. */
export function countedTransport(transport: Transport, metrics: MetricsRegistry): Transport {
  const total = metrics.counter('rest_client_requests_total', 'Requests by answer, method and server.')
  const host = transport.server.replace(/^\w+:\/\//, '')
  /** The numbers by answer and method: to find one by its labels costs more than to count. */
  const known = new Map<string, { value: number }>()
  const count = (code: number | '<error>', method: string): void => {
    const key = `${code} ${method}`
    const series = known.get(key) ?? total.with({ code, method, host })
    known.set(key, series)
    series.value++
  }
  return wrapTransport(transport, async (request) => {
    try {
      const response = await transport.send(request)
      count(response.status, request.method)
      return response
    } catch (error) {
      count('<error>', request.method)
      throw error
    }
  })
}
