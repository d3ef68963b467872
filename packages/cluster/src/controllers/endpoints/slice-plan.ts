import type { CreateOf } from '@homeostat/api'
import { Service, type DiscoveryV1, type EndpointSlice } from '@homeostat/api/kinds'
import { controllerReference } from 'homeostat'
import { sameJson } from '../same-json.ts'
import { endpointOf, type EndpointGroup } from './endpoint-groups.ts'

/** Names the Service that a slice is of. */
export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name'
/** Names who keeps a slice: slices of others are left alone. */
export const MANAGED_BY_LABEL = 'endpointslice.kubernetes.io/managed-by'
export const MANAGER = 'endpointslice-controller.k8s.io'
const HEADLESS_LABEL = 'service.kubernetes.io/headless'
const MOST_ENDPOINTS = 100

/** What makes the slices of a Service right. */
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
 * Fits the endpoints of a Service into slices of at most 100, using those that are there: one with the
 * same ports first, so that few slices change. A Service without any endpoint has one empty slice.
 */
export function planSlices(
  service: Service,
  groups: readonly EndpointGroup[],
  existing: readonly EndpointSlice[],
): SlicePlan {
  const labels = labelsOf(service)
  const wanted = contents(service, groups)
  const free = [...existing].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  const plan = { create: [] as CreateOf<typeof EndpointSlice>[], update: [] as EndpointSlice[] }
  for (const content of wanted) {
    const index = free.findIndex((slice) => sameJson(slice.ports ?? [], content.ports))
    const [slice] = index < 0 ? [] : free.splice(index, 1)
    if (!slice) {
      plan.create.push(newSlice(service, labels, content))
    } else if (
      !sameJson(slice.endpoints ?? [], content.endpoints) ||
      !sameJson(slice.metadata.labels, labels)
    ) {
      plan.update.push({ ...slice, metadata: { ...slice.metadata, labels }, endpoints: content.endpoints })
    }
  }
  return { ...plan, remove: free }
}

function contents(service: Service, groups: readonly EndpointGroup[]): Content[] {
  const all = groups.flatMap(({ ports, pods }) => {
    const endpoints = pods.map((pod) => endpointOf(service, pod))
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
      ownerReferences: [controllerReference(service, Service)],
    },
    addressType: 'IPv4',
    endpoints,
    ports,
  }
}

function labelsOf(service: Service): Record<string, string> {
  return {
    ...service.metadata.labels,
    ...(service.spec.clusterIP === 'None' ? { [HEADLESS_LABEL]: '' } : {}),
    [MANAGED_BY_LABEL]: MANAGER,
    [SERVICE_NAME_LABEL]: service.metadata.name,
  }
}
