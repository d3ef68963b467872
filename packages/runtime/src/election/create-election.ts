import { holdClock, HomeostatError, type Clock } from '@homeostat/api'
import { createClient } from '../client/index.ts'
import { reconcileId } from '../reconcile/index.ts'
import type { Logger, MetricsRegistry } from '../telemetry/index.ts'
import type { Transport } from '../transport/index.ts'
import { LeaderElection, type LeaderElectionOptions } from './leader-election.ts'

/**
 * Creates the election on a cluster, with defaults for what the options leave out. Throws a `HomeostatError` with
 * code `LEADER_ELECTION_OPTIONS_INVALID` where the namespace of the Lease is not known.
 */
export async function createElection(
  given: LeaderElectionOptions,
  connection: { readonly transport: Transport; readonly namespace: string | undefined },
  shared: { readonly clock: Clock; readonly logger: Logger; readonly metrics: MetricsRegistry },
): Promise<LeaderElection> {
  const { clock, logger } = shared
  const { transport } = connection
  const namespace = given.namespace ?? connection.namespace
  if (namespace === undefined) {
    throw new HomeostatError(
      'LEADER_ELECTION_OPTIONS_INVALID',
      'a manager with a given transport cannot know its namespace: set leaderElection.namespace',
    )
  }
  const identity = given.identity ?? (await processIdentity(clock))
  return new LeaderElection({
    ...shared,
    election: { ...given, namespace, identity },
    client: createClient({ transport, clock, logger, fieldManager: identity.slice(0, 128) }),
  })
}

async function processIdentity(clock: Clock): Promise<string> {
  // Imported late, so that a manager whose identity is given needs no modules of Node. Simulated time must not pass meanwhile.
  const loaded = import('../process/process-identity.ts')
  holdClock(clock, 'the name of this process', loaded)
  const { hostName } = await loaded
  return `${hostName()}_${reconcileId(clock)}`
}
