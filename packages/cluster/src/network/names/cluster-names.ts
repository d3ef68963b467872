/** The target to which a name of the cluster resolves. */
export type ClusterName =
  | { readonly type: 'service'; readonly namespace: string; readonly name: string }
  /** A Pod by its hostname in a headless Service. */
  | {
      readonly type: 'endpoint'
      readonly namespace: string
      readonly name: string
      readonly hostname: string
    }
  /** A Pod by its address: `10-244-0-2.default.pod`. */
  | { readonly type: 'address'; readonly address: string }

const DOMAIN = 'cluster.local'

/**
 * The full names that a name may stand for in a Pod of the namespace, in the order of the search list: `web` is
 * `web.<namespace>.svc.cluster.local`. A name that ends with a dot is a full name.
 */
export function clusterNames(host: string, namespace: string): ClusterName[] {
  const name = host.toLowerCase()
  if (name === '' || name.length > 253) return []
  const whole = name.endsWith('.')
    ? [name.slice(0, -1)]
    : [`${name}.${namespace}.svc.${DOMAIN}`, `${name}.svc.${DOMAIN}`, `${name}.${DOMAIN}`, name]
  return whole.flatMap((candidate) => parse(candidate) ?? [])
}

/** Whether an address is one of the cluster's networks: no packet is ever sent there. */
export function isClusterAddress(host: string): boolean {
  return /^10\.(?:244|96)\.\d{1,3}\.\d{1,3}$/.test(host)
}

/** Whether the host name means the caller itself. */
export function isOwnHost(host: string): boolean {
  return /^(?:localhost\.?|127\.0\.0\.1|::1|\[::1\])$/i.test(host)
}

function parse(name: string): ClusterName | undefined {
  if (!name.endsWith(`.${DOMAIN}`)) return undefined
  const labels = name.slice(0, -DOMAIN.length - 1).split('.')
  if (labels.some((label) => label === '')) return undefined
  const type = labels.pop()
  const namespace = labels.pop()
  const last = labels.pop()
  if (namespace === undefined || last === undefined) return undefined
  const [hostname, ...rest] = labels
  if (rest.length > 0) return undefined
  if (type === 'svc') {
    return hostname === undefined
      ? { type: 'service', namespace, name: last }
      : { type: 'endpoint', namespace, name: last, hostname }
  }
  if (type !== 'pod' || hostname !== undefined || !/^\d+-\d+-\d+-\d+$/.test(last)) return undefined
  return { type: 'address', address: last.replaceAll('-', '.') }
}
