import { HomeostatError } from '@homeostat/api'
import { wrapTransport, type Transport } from 'homeostat'

/** A transport that records its write requests. */
export interface RecordedWrites {
  /** For the manager under test. */
  readonly transport: Transport
  /** The write requests so far, in order: `PATCH /apis/apps/v1/namespaces/default/deployments/web`. */
  readonly writes: readonly string[]
  /** Fails if a write request is sent while `action` runs: the message names each. */
  expectNoWrites(action: () => unknown): Promise<void>
}

/**
 * Records the write requests that go through a transport, to any server. `concerns` selects them by their path,
 * such as those of one namespace. Default: all except dry runs.
 */
export function recordWrites(
  transport: Transport,
  concerns: (path: string) => boolean = () => true,
): RecordedWrites {
  const writes: string[] = []
  return {
    transport: wrapTransport(transport, (request) => {
      const { method, path, query } = request
      if (method !== 'GET' && method !== 'HEAD' && !query.has('dryRun') && concerns(path)) {
        writes.push(`${method} ${path}`)
      }
      return transport.send(request)
    }),
    writes,
    async expectNoWrites(action) {
      const before = writes.length
      await action()
      const sent = writes.slice(before)
      if (sent.length === 0) return
      throw new HomeostatError(
        'UNEXPECTED_WRITES',
        `expected no request that writes, but ${sent.length} came:\n${sent.map((write) => `  ${write}`).join('\n')}`,
      )
    },
  }
}
