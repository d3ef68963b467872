import type { ManagerOptions } from './manager-options.ts'

/**
 * What an operator's manager needs in a Pod: one process of several leads, by a Lease of the given name that an orderly
 * stop gives up, and the kubelet's probes (port 8081) and Prometheus (port 8080) can look in. Outside a Pod, such as from
 * a terminal, it is nothing.
 */
export function podOptions(
  lease: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Pick<ManagerOptions, 'leaderElection' | 'metrics' | 'health'> {
  if (!env['KUBERNETES_SERVICE_HOST']) return {}
  // On the local cluster, where Pods share a machine, each has a loopback address of its own.
  const host = env['HOMEOSTAT_POD_ADDRESS'] ?? '0.0.0.0'
  return { leaderElection: { name: lease, releaseOnStop: true }, metrics: { host }, health: { host } }
}
