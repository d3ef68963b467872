import type { PrintedObject } from '../../registry/index.ts'

/** The addresses of a load balancer, sorted and without duplicates. */
export function loadBalancer(object: PrintedObject): string {
  const ingress: PrintedObject[] = object.status?.loadBalancer?.ingress ?? []
  const addresses = ingress.map((point) => point.ip || point.hostname || '').filter((text) => text !== '')
  return [...new Set<string>(addresses)].sort().join(',')
}
