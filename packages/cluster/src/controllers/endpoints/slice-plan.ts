import { deepEqual, type CreateOf } from '@homeostat/api'
import type { Service, DiscoveryV1, EndpointSlice } from '@homeostat/api/kinds'
import { controllerReference, hasOwnerReference } from 'homeostat'
import type { EndpointGroup } from './endpoint-groups.ts'

/** The label that names the Service of a slice. */
export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name'
/** The label that names the controller of a slice. Slices of other controllers are left alone. */
export const MANAGED_BY_LABEL = 'endpointslice.kubernetes.io/managed-by'
export const MANAGER = 'endpointslice-controller.k8s.io'
/** Marks slices of a Service without a cluster IP. */
export const HEADLESS_LABEL = 'service.kubernetes.io/headless'
const RESERVED = [SERVICE_NAME_LABEL, MANAGED_BY_LABEL, HEADLESS_LABEL]
const ADDRESS_TYPE = 'IPv4'
const MOST_ENDPOINTS = 100

/** The changes that bring a Service's slices up to date. */
export interface SlicePlan {
  readonly create: readonly CreateOf<typeof EndpointSlice>[]
  readonly update: readonly EndpointSlice[]
  readonly remove: readonly EndpointSlice[]
}

interface Content {
  readonly ports: readonly DiscoveryV1.EndpointPort[]
  readonly endpoints: readonly DiscoveryV1.Endpoint[]
}

/**
 * Distributes the endpoints of a Service over slices of at most 100. It reuses existing slices, first those with the
 * same ports, so that few slices change. A Service without any endpoint has one empty slice.
 */
export function planSlices(
  service: Service,
  groups: readonly EndpointGroup[],
  existing: readonly EndpointSlice[],
): SlicePlan {
  const labels = labelsOf(service)
  const sorted = [...existing].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  const ours = (slice: EndpointSlice): boolean =>
    slice.addressType === ADDRESS_TYPE && hasOwnerReference(service, slice)
  const free = sorted.filter(ours)
  const update: EndpointSlice[] = []
  const fresh: Content[] = []
  const use = (slice: EndpointSlice, { ports, endpoints }: Content): void => {
    const same =
      deepEqual(slice.ports ?? [], ports) &&
      deepEqual(slice.endpoints ?? [], endpoints) &&
      deepEqual(slice.metadata.labels, labels)
    if (!same) update.push({ ...slice, metadata: { ...slice.metadata, labels }, ports, endpoints })
  }
  for (const content of contents(groups)) {
    const index = free.findIndex((slice) => deepEqual(slice.ports ?? [], content.ports))
    const [slice] = index < 0 ? [] : free.splice(index, 1)
    if (slice) use(slice, content)
    else fresh.push(content)
  }
  const create = fresh.filter((content) => {
    const slice = free.shift()
    if (slice) use(slice, content)
    return !slice
  })
  return {
    create: create.map((content) => newSlice(service, labels, content)),
    update,
    remove: [...sorted.filter((slice) => !ours(slice)), ...free],
  }
}

function contents(groups: readonly EndpointGroup[]): Content[] {
  const all = groups.flatMap(({ ports, endpoints }) => {
    const chunks: Content[] = []
    for (let i = 0; i < endpoints.length; i += MOST_ENDPOINTS) {
      chunks.push({ ports, endpoints: endpoints.slice(i, i + MOST_ENDPOINTS) })
    }
    return chunks
  })
  return all.length > 0 ? all : [{ ports: [], endpoints: [] }]
}

function newSlice(
  service: Service,
  labels: Record<string, string>,
  { ports, endpoints }: Content,
): CreateOf<typeof EndpointSlice> {
  const { namespace, name } = service.metadata
  return {
    metadata: {
      namespace,
      generateName: `${name}-`,
      labels,
      ownerReferences: [controllerReference(service)],
    },
    addressType: ADDRESS_TYPE,
    endpoints,
    ports,
  }
}

/** Copies the labels of a Service to its slices, except those that describe the slice itself. */
function labelsOf({ metadata, spec }: Service): Record<string, string> {
  const own = Object.entries(metadata.labels ?? {}).filter(([key]) => !RESERVED.includes(key))
  return {
    ...Object.fromEntries(own),
    ...(hasAddress(spec) ? {} : { [HEADLESS_LABEL]: '' }),
    [MANAGED_BY_LABEL]: MANAGER,
    [SERVICE_NAME_LABEL]: metadata.name,
  }
}

/** Whether a Service has a cluster IP, rather than the addresses of its Pods. */
export function hasAddress({ clusterIP }: Pick<Service['spec'], 'clusterIP'>): boolean {
  return clusterIP !== 'None' && Boolean(clusterIP)
}
