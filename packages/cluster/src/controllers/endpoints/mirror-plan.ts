import { deepEqual, type CreateOf, type DeepReadonly } from '@homeostat/api'
import type { Endpoints, CoreV1, DiscoveryV1, EndpointSlice } from '@homeostat/api/kinds'
import { controllerReference } from 'homeostat'
import { MANAGED_BY_LABEL, SERVICE_NAME_LABEL, type SlicePlan } from './slice-plan.ts'

/** The controller of slices that mirror Endpoints. */
export const MIRROR_MANAGER = 'endpointslicemirroring-controller.k8s.io'

const MOST_ADDRESSES = 1_000
/** Annotations that concern only the Endpoints object, and are not copied. */
const OWN_ANNOTATIONS = [
  'endpoints.kubernetes.io/last-change-trigger-time',
  'kubectl.kubernetes.io/last-applied-configuration',
]

type Slice = CreateOf<typeof EndpointSlice> & { readonly addressType: string }

/** Whether Endpoints are mirrored into slices. Endpoints that only serve a leader election are not. */
export function isMirrored({ metadata }: Endpoints): boolean {
  return (
    metadata.labels?.['endpointslice.kubernetes.io/skip-mirror'] !== 'true' &&
    metadata.annotations?.['control-plane.alpha.kubernetes.io/leader'] === undefined
  )
}

/** The slices that mirror Endpoints: one for each subset and type of address. */
export function planMirror(endpoints: Endpoints, existing: readonly EndpointSlice[]): SlicePlan {
  const free = [...existing]
  const create: CreateOf<typeof EndpointSlice>[] = []
  const update: EndpointSlice[] = []
  for (const wanted of (endpoints.subsets ?? []).flatMap((subset) => slicesOf(endpoints, subset))) {
    const index = free.findIndex(
      ({ addressType, ports }) => addressType === wanted.addressType && deepEqual(ports ?? [], wanted.ports),
    )
    const [slice] = index < 0 ? [] : free.splice(index, 1)
    if (!slice) create.push(wanted)
    else if (!isSame(slice, wanted)) {
      const { labels, annotations } = wanted.metadata
      const metadata = { ...slice.metadata, generateName: undefined, labels, annotations }
      update.push({ ...slice, metadata, endpoints: wanted.endpoints })
    }
  }
  return { create, update, remove: free }
}

function isSame(slice: EndpointSlice, wanted: Slice): boolean {
  return (
    deepEqual(slice.endpoints ?? [], wanted.endpoints) &&
    deepEqual(slice.metadata.labels, wanted.metadata.labels) &&
    deepEqual(slice.metadata.annotations ?? {}, wanted.metadata.annotations ?? {})
  )
}

function slicesOf(endpoints: Endpoints, subset: DeepReadonly<CoreV1.EndpointSubset>): Slice[] {
  const { namespace, name, labels, annotations = {} } = endpoints.metadata
  const passedOn = Object.entries(annotations).filter(([key]) => !OWN_ANNOTATIONS.includes(key))
  const all = [
    ...(subset.addresses ?? []).map((address) => endpointOf(address, true)),
    ...(subset.notReadyAddresses ?? []).map((address) => endpointOf(address, false)),
  ].slice(0, MOST_ADDRESSES)
  const ports = (subset.ports ?? []).map(({ name: portName = '', port, protocol = 'TCP', appProtocol }) => ({
    name: portName,
    port,
    protocol,
    ...(appProtocol ? { appProtocol } : {}),
  }))
  return (['IPv4', 'IPv6'] as const).flatMap((addressType) => {
    const found = all.filter(({ addresses }) => addresses[0]?.includes(':') === (addressType === 'IPv6'))
    if (found.length === 0) return []
    return {
      metadata: {
        namespace,
        generateName: `${name}-`,
        labels: { ...labels, [SERVICE_NAME_LABEL]: name, [MANAGED_BY_LABEL]: MIRROR_MANAGER },
        ...(passedOn.length > 0 ? { annotations: Object.fromEntries(passedOn) } : {}),
        ownerReferences: [controllerReference(endpoints)],
      },
      addressType,
      endpoints: found,
      ports,
    }
  })
}

function endpointOf(address: DeepReadonly<CoreV1.EndpointAddress>, ready: boolean): DiscoveryV1.Endpoint {
  const { ip, hostname, nodeName, targetRef } = address
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname ? { hostname } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(targetRef ? { targetRef: { ...targetRef } } : {}),
  }
}
