import type { ServiceKey } from '../services/index.ts'

/** The lines of a hosts file for a Service, or for a Pod of a Service. */
export interface HostsEntry {
  readonly service: ServiceKey
  /** The hostname of the Pod within the Service, if the endpoint is a single Pod. */
  readonly hostname?: string | undefined
  /** The loopback addresses by which it is reached. */
  readonly addresses: readonly string[]
}

/**
 * The lines of a hosts file, each with its line end, by which processes of a namespace resolve the entries. Each entry
 * has all forms that the search list of Pods allows, the full name first. The short form works only in the namespace
 * itself.
 */
export function hostsLines(entries: readonly HostsEntry[], namespace: string): string[] {
  return entries.flatMap(({ service, hostname, addresses }) => {
    const name = hostname === undefined ? service.name : `${hostname}.${service.name}`
    const inNamespace = `${name}.${service.namespace}`
    const names = [`${inNamespace}.svc.cluster.local`, `${inNamespace}.svc`, inNamespace]
    if (service.namespace === namespace) names.push(name)
    return addresses.map((address) => `${address}\t${names.join(' ')}\n`)
  })
}
