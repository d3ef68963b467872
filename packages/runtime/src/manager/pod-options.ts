import type { ManagerOptions } from './manager-options.ts'

/**
 * The options of an operator's manager in a Pod: leader election by a Lease of the given name, which the manager
 * releases when it is stopped; pages for the kubelet's probes (port 8081); and metrics for Prometheus (port 8080).
 * Outside a Pod, such as in a terminal, it returns no options.
 */
export function podOptions(
  lease: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Pick<ManagerOptions, 'leaderElection' | 'metrics' | 'health'> {
  if (!env['KUBERNETES_SERVICE_HOST']) return {}
  // On the local cluster, where Pods share a machine, each has its own loopback address.
  const host = env['HOMEOSTAT_POD_ADDRESS'] ?? '0.0.0.0'
  return { leaderElection: { name: lease, releaseOnStop: true }, metrics: { host }, health: { host } }
}
