import type { Node, DiscoveryV1, Pod, Service } from '@homeostat/api/kinds'
import { portNumber } from './port-number.ts'
import { isReady } from '../pods/pod-facts.ts'

const ZONE = 'topology.kubernetes.io/zone'

/** Endpoints of a Service that have the same ports: a named port may be another number in each Pod. */
export interface EndpointGroup {
  readonly ports: readonly DiscoveryV1.EndpointPort[]
  readonly endpoints: readonly DiscoveryV1.Endpoint[]
}

/**
 * The endpoints of a Service, by their ports. The order is the same for the same Pods. A Pod whose node is not known
 * is left out, unless the Service publishes addresses that are not ready.
 */
export function endpointGroups(
  service: Service,
  pods: readonly Pod[],
  nodes: ReadonlyMap<string, Node>,
): EndpointGroup[] {
  const groups = new Map<string, { ports: DiscoveryV1.EndpointPort[]; endpoints: DiscoveryV1.Endpoint[] }>()
  for (const pod of [...pods].sort(byName)) {
    if (!canServe(pod)) continue
    const node = nodes.get(pod.spec.nodeName ?? '')
    if (!node && !service.spec.publishNotReadyAddresses) continue
    const ports = portsOf(service, pod)
    const key = JSON.stringify(ports)
    const group = groups.get(key) ?? { ports, endpoints: [] }
    groups.set(key, group)
    group.endpoints.push(endpointOf(service, pod, node))
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

/** Whether a Pod can be an endpoint at all: it has an address and has not run to its end. */
export function canServe({ status }: Pod): boolean {
  return Boolean(status.podIP) && status.phase !== 'Succeeded' && status.phase !== 'Failed'
}

/** The name by which a Pod is found under the Service's own, if it has one. */
export function hostnameOf(service: Service, { spec }: Pod): { hostname?: string } {
  return spec.hostname && spec.subdomain === service.metadata.name ? { hostname: spec.hostname } : {}
}

function endpointOf(service: Service, pod: Pod, node: Node | undefined): DiscoveryV1.Endpoint {
  const serving = isReady(pod)
  const terminating = pod.metadata.deletionTimestamp !== undefined
  const { namespace, name, uid } = pod.metadata
  const zone = node?.metadata.labels?.[ZONE]
  return {
    addresses: [pod.status.podIP ?? ''],
    conditions: {
      ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...hostnameOf(service, pod),
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(zone ? { zone } : {}),
  }
}

function portsOf(service: Service, pod: Pod): DiscoveryV1.EndpointPort[] {
  return (service.spec.ports ?? []).flatMap((port) => {
    const number = portNumber(port, pod)
    if (number === undefined) return []
    const { name = '', protocol = 'TCP', appProtocol } = port
    return [{ name, port: number, protocol, ...(appProtocol ? { appProtocol } : {}) }]
  })
}

function byName(a: Pod, b: Pod): number {
  return a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0
}
