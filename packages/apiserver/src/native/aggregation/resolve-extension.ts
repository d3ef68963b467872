import { specOf, storedObject, type Registry, type ServerObject } from '../../registry/index.ts'
import { listOf, objectOf, textOf } from '../../schema/index.ts'
import { portNameOf, type Endpoint } from '../../upstream/index.ts'
import type { Availability } from './availability.ts'
import type { Extension } from './extension.ts'

const SERVICE_NAME = 'kubernetes.io/service-name'

/** The addresses that a Service leads to; or why there are none, as the APIService says it. */
export type Resolved = { readonly endpoints: readonly Endpoint[] } | { readonly problem: Availability }

/**
 * Where an extension API server listens: the ready endpoints of its Service, or the name that a Service of the type ExternalName
 * stands for. Addresses of Services themselves are not used, since only the nodes of a cluster route them.
 */
export function resolveExtension(registry: Registry, { service }: Extension): Resolved {
  const { namespace, name, port } = service
  const stored = registry.store.get('/services', `${namespace}/${name}`)
  const where = `service/${name} in ${JSON.stringify(namespace)}`
  if (!stored) return unavailable('ServiceNotFound', `${where} is not present`)
  const object = storedObject(stored)
  const { type, externalName } = specOf(object)
  if (type === 'ExternalName') return { endpoints: [{ address: textOf(externalName), port }] }
  const portName = portNameOf(object, port)
  if (portName === undefined)
    return unavailable('ServicePortError', `${where} is not listening on port ${port}`)
  const slices = endpointSlices(registry, namespace, name)
  if (slices.length === 0) return unavailable('EndpointsNotFound', `cannot find endpointslices for ${where}`)
  const endpoints = slices.flatMap((slice) => readyIn(slice, portName))
  if (endpoints.length > 0) return { endpoints }
  const message = `endpointslices for ${where} have no addresses with port name ${JSON.stringify(portName)}`
  return unavailable('MissingEndpoints', message)
}

function unavailable(reason: string, message: string): Resolved {
  return { problem: { status: 'False', reason, message } }
}

function endpointSlices({ store }: Registry, namespace: string, name: string): ServerObject[] {
  return [...store.snapshot({ collection: 'discovery.k8s.io/endpointslices', prefix: `${namespace}/` })]
    .map(storedObject)
    .filter(({ metadata }) => metadata.labels?.[SERVICE_NAME] === name)
}

function readyIn(slice: ServerObject, portName: string): Endpoint[] {
  const ports = listOf(slice['ports'])
    .map(objectOf)
    .filter(({ name, port }) => textOf(name ?? '') === portName && port !== undefined)
  const ready = listOf(slice['endpoints'])
    .map(objectOf)
    .filter(({ conditions }) => objectOf(conditions)['ready'] !== false)
  return ports.flatMap(({ port }) =>
    ready.map(({ addresses }) => ({ address: textOf(listOf(addresses)[0]), port: Number(port) })),
  )
}

/** The Service that an EndpointSlice belongs to, as `namespace/name`; undefined if it belongs to none. */
export function serviceOf({ metadata }: ServerObject): string | undefined {
  const name = metadata.labels?.[SERVICE_NAME]
  return name === undefined ? undefined : `${metadata.namespace ?? ''}/${name}`
}
