import type { MetricsRegistry } from '../telemetry/index.ts'
import type { Transport } from './transport.ts'
import { wrapTransport } from './wrap-transport.ts'

/** The transport, with its requests counted as `rest_client_requests_total`. Closing it closes the given transport. */
export function countedTransport(transport: Transport, metrics: MetricsRegistry): Transport {
  const total = metrics.counter('rest_client_requests_total', 'Requests by answer, method and server.')
  const host = transport.server.replace(/^\w+:\/\//, '')
  return wrapTransport(transport, async (request) => {
    try {
      const response = await transport.send(request)
      total.add(1, { code: response.status, method: request.method, host })
      return response
    } catch (error) {
      total.add(1, { code: '<error>', method: request.method, host })
      throw error
    }
  })
}
