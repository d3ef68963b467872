import { linkSignals, type Transport, wrapTransport } from '../transport/index.ts'
import type { LeaderElection } from './leader-election.ts'

/**
 * The transport, for those who may write only while this process leads: the last thing before a write is
 * sent is to look whether it does, and one that is on its way when the lease is lost is ended. Reads pass.
 * Closing it closes the other.
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
