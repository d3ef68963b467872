import { linkSignals, type Transport, wrapTransport } from '../transport/index.ts'
import type { LeaderElection } from './leader-election.ts'

/**
 * A transport that writes only while this process leads. It checks the lease directly before it sends a write, and
 * aborts a write that is under way when the lease is lost. Reads are not affected. Closing it closes the given
 * transport.
 */
export function leadingTransport(
  transport: Transport,
  election: Pick<LeaderElection, 'assertLeads' | 'lostSignal'>,
): Transport {
  return wrapTransport(transport, async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return transport.send(request)
    election.assertLeads()
    using linked = linkSignals(request.signal, election.lostSignal)
    const beforeSend = (): void => election.assertLeads()
    return await transport.send({ ...request, beforeSend, signal: linked.signal })
  })
}
