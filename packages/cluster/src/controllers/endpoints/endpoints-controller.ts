import { deepEqual, labelSelectorFrom, matchesLabels } from '@homeostat/api'
import { Endpoints, EndpointSlice, Node, Pod, Service } from '@homeostat/api/kinds'
import { controller, type Client, type Controller, type ObjectEvent } from 'homeostat'
import { isNamespaceTerminating } from '../objects/namespace-terminating.ts'
import { endpointGroups } from './endpoint-groups.ts'
import { endpointSubsets } from './endpoint-subsets.ts'
import { OVER_CAPACITY, withinCapacity } from './endpoints-capacity.ts'
import {
  hasAddress,
  HEADLESS_LABEL,
  MANAGED_BY_LABEL,
  MANAGER,
  planSlices,
  SERVICE_NAME_LABEL,
} from './slice-plan.ts'
import { triggerTimes, withTrigger, type TriggerTimes } from './trigger-times.ts'

const ENDPOINTS_MANAGED_BY = 'endpoints.kubernetes.io/managed-by'

/** Writes the Pods of a Service into EndpointSlices, and into Endpoints for clients that still read them. */
export function endpointsController(): Controller {
  const known = new Map<string, TriggerTimes>()
  return (
    controller('endpointslice-controller')
      .for(Service)
      .owns(EndpointSlice)
      .watches(Pod, async (pod, { client }) => {
        const { namespace, labels = {} } = pod.metadata
        const services = await client.list(Service, { namespace })
        return services
          .filter(({ spec }) => spec.selector && selects(spec.selector, labels))
          .map(({ metadata }) => ({ namespace, name: metadata.name }))
      })
      // Endpoints have no owner reference. As in Kubernetes, they are restored after a deletion, but not after a
      // change.
      .watches(Endpoints, ({ metadata: { namespace, name } }) => ({ namespace, name }), {
        predicate: ({ type }) => type === 'deleted',
      })
      // A Pod counts only where its node is known, and has its zone.
      .watches(
        Node,
        async (_node, { client }) => {
          const services = await client.list(Service)
          return services.map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
        },
        { predicate: isOtherNode },
      )
      .options({ maxConcurrentReconciles: 4 })
      .reconcile(async (request, { client }) => {
        const service = await client.get(Service, request)
        const id = `${request.namespace}/${request.name}`
        if (!service) {
          known.delete(id)
          await client.delete(Endpoints, request)
          return
        }
        const { selector, type } = service.spec
        // For a Service without a selector, another client writes the endpoints.
        if (!selector || type === 'ExternalName' || service.metadata.deletionTimestamp) return
        const pods = await client.list(Pod, { namespace: request.namespace, labels: selector })
        const { times, trigger } = triggerTimes(service, pods, known.get(id))
        known.set(id, times)
        try {
          await writeSlices(service, pods, trigger, client)
          await writeEndpoints(service, pods, trigger, client)
        } catch (error) {
          if (!isNamespaceTerminating(error)) throw error
        }
      })
  )
}

async function writeSlices(
  service: Service,
  pods: readonly Pod[],
  trigger: string | undefined,
  client: Client,
): Promise<void> {
  const { namespace, name } = service.metadata
  const nodes = await client.list(Node)
  const byName = new Map(nodes.map((node) => [node.metadata.name, node]))
  const labels = { [SERVICE_NAME_LABEL]: name, [MANAGED_BY_LABEL]: MANAGER }
  const slices = await client.list(EndpointSlice, { namespace, labels })
  const plan = planSlices(service, endpointGroups(service, pods, byName), slices)
  for (const slice of plan.create) {
    await client.create(EndpointSlice, { ...slice, metadata: marked(slice.metadata, trigger) })
  }
  for (const slice of plan.update) {
    await client.update(EndpointSlice, { ...slice, metadata: marked(slice.metadata, trigger) })
  }
  for (const { metadata } of plan.remove) await client.delete(EndpointSlice, metadata)
}

async function writeEndpoints(
  service: Service,
  pods: readonly Pod[],
  trigger: string | undefined,
  client: Client,
): Promise<void> {
  const { namespace, name, labels: own } = service.metadata
  const { subsets, truncated } = withinCapacity(endpointSubsets(service, pods))
  const { [HEADLESS_LABEL]: _, ...others } = own ?? {}
  const labels = {
    ...others,
    ...(hasAddress(service.spec) ? {} : { [HEADLESS_LABEL]: '' }),
    [ENDPOINTS_MANAGED_BY]: 'endpoint-controller',
  }
  const existing = await client.get(Endpoints, { namespace, name })
  const { [OVER_CAPACITY]: _before, ...rest } = existing?.metadata.annotations ?? {}
  const annotations = {
    ...withTrigger(rest, trigger),
    ...(truncated ? { [OVER_CAPACITY]: 'truncated' } : {}),
  }
  if (!existing) {
    await client.create(Endpoints, { metadata: { namespace, name, labels, annotations }, subsets })
  } else if (!deepEqual(existing.subsets ?? [], subsets) || !deepEqual(existing.metadata.labels, labels)) {
    await client.update(Endpoints, {
      ...existing,
      metadata: { ...existing.metadata, labels, annotations },
      subsets,
    })
  }
}

/** Metadata with the time of the change that caused this write. */
function marked<M extends { annotations?: unknown }>(
  metadata: M & { readonly annotations?: Readonly<Record<string, string>> | undefined },
  trigger: string | undefined,
): M {
  const annotations = withTrigger(metadata.annotations, trigger)
  return { ...metadata, annotations: Object.keys(annotations).length > 0 ? annotations : undefined }
}

/** Whether a node came or went, or is in another zone. */
function isOtherNode(event: ObjectEvent<typeof Node>): boolean {
  if (event.type !== 'updated') return event.type !== 'resync'
  return !deepEqual(event.object.metadata.labels, event.before.metadata.labels)
}

function selects(
  selector: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.keys(selector).length > 0 && matchesLabels(labelSelectorFrom({ matchLabels: selector }), labels)
  )
}
