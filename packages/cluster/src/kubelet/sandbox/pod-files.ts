import type { Pod } from '@homeostat/api/kinds'

/** The name that a Pod has for itself. */
export function hostnameOf(pod: Pod): string {
  const name = pod.spec.hostnameOverride ?? pod.spec.hostname ?? pod.metadata.name
  return name.slice(0, 63).replace(/[-.]+$/, '')
}

/** The files that a node puts into each container, by which it knows its own name and those of others. */
export function podFiles(pod: Pod, podIP: string): Record<string, string> {
  const { namespace } = pod.metadata
  const hostname = hostnameOf(pod)
  const names = pod.spec.subdomain
    ? `${hostname}.${pod.spec.subdomain}.${namespace}.svc.cluster.local\t${hostname}`
    : hostname
  const aliases = (pod.spec.hostAliases ?? []).map(
    ({ ip, hostnames }) => `${ip}\t${(hostnames ?? []).join('\t')}\n`,
  )
  return {
    '/etc/hostname': `${hostname}\n`,
    '/etc/hosts':
      '# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n' +
      `${podIP}\t${names}\n` +
      (aliases.length > 0 ? `\n# Entries added by HostAliases.\n${aliases.join('')}` : ''),
    '/etc/resolv.conf':
      `search ${namespace}.svc.cluster.local svc.cluster.local cluster.local\n` +
      'nameserver 10.96.0.10\noptions ndots:5\n',
  }
}
