import type { Stored } from '../../registry/index.ts'

/** The addresses that a load balancer gave, in order and each once. */
export function loadBalancer(object: Stored): string {
  const ingress: Stored[] = object.status?.loadBalancer?.ingress ?? []
  const addresses = ingress.map((point) => point.ip || point.hostname || '').filter((text) => text !== '')
  return [...new Set<string>(addresses)].sort().join(',')
}
