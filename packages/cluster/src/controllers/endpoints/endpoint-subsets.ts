import type { CoreV1, Pod, Service } from '@homeostat/api/kinds'
import { isReady } from '../pods/pod-facts.ts'
import { canServe, hostnameOf } from './endpoint-groups.ts'
import { portNumber } from './port-number.ts'

interface Entry {
  readonly address: CoreV1.EndpointAddress
  readonly ready: boolean
}

/**
 * The subsets of an Endpoints object: ports that the same Pods serve are in one subset. Ending Pods are left out,
 * unless the Service publishes addresses that are not ready.
 */
export function endpointSubsets(service: Service, pods: readonly Pod[]): CoreV1.EndpointSubset[] {
  const { ports: servicePorts = [], publishNotReadyAddresses: anyPod = false } = service.spec
  const byPort = new Map<string, { port: CoreV1.EndpointPort | undefined; entries: Entry[] }>()
  const add = (port: CoreV1.EndpointPort | undefined, entry: Entry): void => {
    const key = JSON.stringify(port ?? null)
    const known = byPort.get(key) ?? { port, entries: [] }
    known.entries.push(entry)
    byPort.set(key, known)
  }
  for (const pod of [...pods].sort(byAddress)) {
    if (!canServe(pod) || (pod.metadata.deletionTimestamp && !anyPod)) continue
    const entry = { address: addressOf(service, pod), ready: anyPod || isReady(pod) }
    // A Service without ports has endpoints only where it is headless: its names resolve to the Pods themselves.
    if (servicePorts.length === 0 && service.spec.clusterIP === 'None') add(undefined, entry)
    for (const port of servicePorts) {
      const number = portNumber(port, pod)
      if (number !== undefined) add(endpointPort(port, number), entry)
    }
  }
  return packed([...byPort.values()])
}

/** Ports with exactly the same addresses become one subset. */
function packed(
  ports: readonly { port: CoreV1.EndpointPort | undefined; entries: readonly Entry[] }[],
): CoreV1.EndpointSubset[] {
  const subsets = new Map<string, { ports: CoreV1.EndpointPort[]; entries: readonly Entry[] }>()
  for (const { port, entries } of ports) {
    const key = JSON.stringify(entries)
    const known = subsets.get(key) ?? { ports: [], entries }
    if (port) known.ports.push(port)
    subsets.set(key, known)
  }
  return [...subsets.values()].map(({ ports: together, entries }) => {
    const addresses = entries.filter(({ ready }) => ready).map(({ address }) => address)
    const notReadyAddresses = entries.filter(({ ready }) => !ready).map(({ address }) => address)
    return {
      ...(addresses.length > 0 ? { addresses } : {}),
      ...(notReadyAddresses.length > 0 ? { notReadyAddresses } : {}),
      ...(together.length > 0 ? { ports: together } : {}),
    }
  })
}

function addressOf(service: Service, pod: Pod): CoreV1.EndpointAddress {
  const { namespace, name, uid } = pod.metadata
  return {
    ip: pod.status.podIP ?? '',
    ...hostnameOf(service, pod),
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
  }
}

function endpointPort(
  { name, protocol = 'TCP', appProtocol }: NonNullable<Service['spec']['ports']>[number],
  port: number,
): CoreV1.EndpointPort {
  return { ...(name ? { name } : {}), port, protocol, ...(appProtocol ? { appProtocol } : {}) }
}

/** Sorted by the text of the address, as in Kubernetes. */
function byAddress(a: Pod, b: Pod): number {
  const [first, second] = [a.status.podIP ?? '', b.status.podIP ?? '']
  if (first !== second) return first < second ? -1 : 1
  return a.metadata.uid < b.metadata.uid ? -1 : 1
}
