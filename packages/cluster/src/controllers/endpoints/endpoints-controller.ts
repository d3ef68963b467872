import { labelSelectorFrom, matchesLabels } from '@homeostat/api'
import { Endpoints, EndpointSlice, Pod, Service } from '@homeostat/api/kinds'
import { controller, type Client } from 'homeostat'
import { sameJson } from '../same-json.ts'
import { endpointGroups, endpointSubsets, type EndpointGroup } from './endpoint-groups.ts'
import { MANAGED_BY_LABEL, MANAGER, planSlices, SERVICE_NAME_LABEL } from './slice-plan.ts'

const ENDPOINTS_LABELS = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' }

/** Says which Pods stand behind a Service: in EndpointSlices, and in Endpoints for those who still read them. */
export const endpointsController = controller('endpointslice-controller')
  .for(Service)
  .owns(EndpointSlice)
  .watches(Pod, async (pod, { client }) => {
    const { namespace, labels = {} } = pod.metadata
    const services = await client.list(Service, { namespace })
    return services
      .filter(({ spec }) => spec.selector && selects(spec.selector, labels))
      .map(({ metadata }) => ({ namespace, name: metadata.name }))
  })
  .options({ maxConcurrentReconciles: 4 })
  .reconcile(async (request, { client }) => {
    const service = await client.get(Service, request)
    if (!service) {
      await client.delete(Endpoints, request)
      return
    }
    const { selector, type } = service.spec
    // Without a selector the endpoints are somebody else's.
    if (!selector || type === 'ExternalName' || service.metadata.deletionTimestamp) return
    const { namespace, name } = request
    const pods = await client.list(Pod, { namespace, labels: selector })
    const groups = endpointGroups(service, pods)
    const labels = { [SERVICE_NAME_LABEL]: name, [MANAGED_BY_LABEL]: MANAGER }
    const slices = await client.list(EndpointSlice, { namespace, labels })
    const plan = planSlices(service, groups, slices)
    for (const slice of plan.update) await client.update(EndpointSlice, slice)
    for (const slice of plan.create) await client.create(EndpointSlice, slice)
    for (const { metadata } of plan.remove) await client.delete(EndpointSlice, metadata)
    await writeEndpoints(service, groups, client)
  })

async function writeEndpoints(
  service: Service,
  groups: readonly EndpointGroup[],
  client: Client,
): Promise<void> {
  const { namespace, name, labels: own } = service.metadata
  const subsets = endpointSubsets(service, groups)
  const labels = { ...own, ...ENDPOINTS_LABELS }
  const existing = await client.get(Endpoints, { namespace, name })
  if (!existing) await client.create(Endpoints, { metadata: { namespace, name, labels }, subsets })
  else if (!sameJson(existing.subsets ?? [], subsets) || !sameJson(existing.metadata.labels, labels)) {
    await client.update(Endpoints, { ...existing, metadata: { ...existing.metadata, labels }, subsets })
  }
}

function selects(
  selector: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.keys(selector).length > 0 && matchesLabels(labelSelectorFrom({ matchLabels: selector }), labels)
  )
}
