import type { CoreV1, DiscoveryV1, Pod, Service } from '@homeostat/api/kinds'
import { isReady } from '../pod-facts.ts'

/** Pods of a Service that have the same ports: a named port may be another number in each Pod. */
export interface EndpointGroup {
  readonly ports: readonly DiscoveryV1.EndpointPort[]
  readonly pods: readonly Pod[]
}

/** The Pods that can be endpoints of a Service, by their ports. The order is the same for the same Pods. */
export function endpointGroups(service: Service, pods: readonly Pod[]): EndpointGroup[] {
  const groups = new Map<string, { ports: DiscoveryV1.EndpointPort[]; pods: Pod[] }>()
  for (const pod of [...pods].sort(byName)) {
    const { phase, podIP } = pod.status
    if (!podIP || phase === 'Succeeded' || phase === 'Failed') continue
    const ports = (service.spec.ports ?? []).flatMap((port) => portOf(port, pod) ?? [])
    // A Pod with none of the ports is no endpoint, unless the Service has none either.
    if (ports.length === 0 && (service.spec.ports ?? []).length > 0) continue
    const key = JSON.stringify(ports)
    const group = groups.get(key)
    if (group) group.pods.push(pod)
    else groups.set(key, { ports, pods: [pod] })
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

/** An entry of an EndpointSlice. */
export function endpointOf(service: Service, pod: Pod): DiscoveryV1.Endpoint {
  const serving = isReady(pod)
  const terminating = pod.metadata.deletionTimestamp !== undefined
  return {
    addresses: [pod.status.podIP ?? ''],
    conditions: {
      ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: referenceTo(pod),
  }
}

/** The subsets of an Endpoints object. */
export function endpointSubsets(service: Service, groups: readonly EndpointGroup[]): CoreV1.EndpointSubset[] {
  return groups.map(({ ports, pods }) => {
    const addresses = (ready: boolean): CoreV1.EndpointAddress[] =>
      pods
        .filter((pod) => (endpointOf(service, pod).conditions?.ready ?? false) === ready)
        .map((pod) => ({
          ip: pod.status.podIP ?? '',
          ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
          targetRef: referenceTo(pod),
        }))
    const [ready, notReady] = [addresses(true), addresses(false)]
    return {
      ...(ready.length > 0 ? { addresses: ready } : {}),
      ...(notReady.length > 0 ? { notReadyAddresses: notReady } : {}),
      ports: ports.map(({ name, port, protocol }) => ({
        ...(name ? { name } : {}),
        port: port ?? 0,
        ...(protocol ? { protocol } : {}),
      })),
    }
  })
}

function portOf(
  port: NonNullable<Service['spec']['ports']>[number],
  pod: Pod,
): DiscoveryV1.EndpointPort | undefined {
  const target = port.targetPort ?? port.port
  const number =
    typeof target === 'number'
      ? target
      : pod.spec.containers
          .flatMap((container) => container.ports ?? [])
          .find((entry) => entry.name === target && (entry.protocol ?? 'TCP') === (port.protocol ?? 'TCP'))
          ?.containerPort
  if (number === undefined) return undefined
  return {
    name: port.name ?? '',
    port: number,
    protocol: port.protocol ?? 'TCP',
    ...(port.appProtocol ? { appProtocol: port.appProtocol } : {}),
  }
}

function referenceTo(pod: Pod): CoreV1.ObjectReference {
  const { namespace, name, uid } = pod.metadata
  return { kind: 'Pod', namespace, name, uid }
}

function byName(a: Pod, b: Pod): number {
  return a.metadata.name < b.metadata.name ? -1 : a.metadata.name > b.metadata.name ? 1 : 0
}
