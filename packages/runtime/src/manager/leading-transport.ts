import type { Transport } from '../transport/transport.ts'
import type { LeaderElection } from './leader-election.ts'

/**
 * The transport, for those who may write only while this process leads: the last thing before a write is
 * sent is to look whether it does. Reads pass. Closing it closes the other.
 */
export function leadingTransport(
  transport: Transport,
  election: Pick<LeaderElection, 'assertLeads'>,
): Transport {
  const close = (): Promise<void> => transport.close()
  return {
    server: transport.server,
    async send(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') election.assertLeads()
      return transport.send(request)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
