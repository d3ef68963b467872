import { HomeostatError, type Clock } from '@homeostat/api'
import { createClient } from '../client/create-client.ts'
import { reconcileId } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { MetricsRegistry } from '../telemetry/metrics.ts'
import type { ClusterConnection } from '../cluster/connect-cluster.ts'
import { LeaderElection, type LeaderElectionOptions } from './leader-election.ts'

/**
 * The election on a cluster, with what the options leave open. Throws a `HomeostatError` with code
 * `LEADER_ELECTION_OPTIONS_INVALID` where nothing says in which namespace the Lease is.
 */
export async function createElection(
  given: LeaderElectionOptions,
  { transport, namespace: contextNamespace }: ClusterConnection,
  shared: { readonly clock: Clock; readonly logger: Logger; readonly metrics: MetricsRegistry },
): Promise<LeaderElection> {
  const { clock, logger } = shared
  const namespace = given.namespace ?? contextNamespace
  if (namespace === undefined) {
    throw new HomeostatError(
      'LEADER_ELECTION_OPTIONS_INVALID',
      'the manager was given a transport, so it cannot know its namespace: give leaderElection.namespace',
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
  // Only here, so that a manager whose identity is given needs nothing of Node.
  const { hostName } = await import('../process/process-identity.ts')
  return `${hostName()}_${reconcileId(clock)}`
}
