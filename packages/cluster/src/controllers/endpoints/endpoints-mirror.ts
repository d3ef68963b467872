import { Endpoints, EndpointSlice, Service } from '@homeostat/api/kinds'
import { controller } from 'homeostat'
import { isNamespaceTerminating } from '../objects/namespace-terminating.ts'
import { isMirrored, MIRROR_MANAGER, planMirror } from './mirror-plan.ts'
import { MANAGED_BY_LABEL, SERVICE_NAME_LABEL } from './slice-plan.ts'

/** Copies the Endpoints of Services without a selector, which other clients write, into EndpointSlices. */
export const endpointsMirror = controller('endpointslicemirroring-controller')
  .for(Endpoints)
  .owns(EndpointSlice)
  .watches(Service, ({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
  .reconcile(async (request, { client }) => {
    const { namespace, name } = request
    const labels = { [SERVICE_NAME_LABEL]: name, [MANAGED_BY_LABEL]: MIRROR_MANAGER }
    const slices = await client.list(EndpointSlice, { namespace, labels })
    const endpoints = await client.get(Endpoints, request)
    const service = await client.get(Service, request)
    const wanted = endpoints && isMirrored(endpoints) && service && !service.spec.selector
    const plan = wanted ? planMirror(endpoints, slices) : { create: [], update: [], remove: slices }
    try {
      for (const slice of plan.create) await client.create(EndpointSlice, slice)
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error
    }
    for (const slice of plan.update) await client.update(EndpointSlice, slice)
    for (const { metadata } of plan.remove) await client.delete(EndpointSlice, metadata)
  })
