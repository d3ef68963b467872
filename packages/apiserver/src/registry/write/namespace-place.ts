import { failure } from '@homeostat/api'
import { Failure } from '../resource/failure.ts'
import type { Registry } from '../state/registry.ts'
import type { Resource } from '../resource/resource.ts'
import { type ServerMeta, storedObject } from '../resource/server-object.ts'

/** The collection of namespaces. */
export const NAMESPACES = '/namespaces'

/** Refuses to create an object in a namespace that does not exist or is being deleted. */
export function admitToNamespace(
  registry: Registry,
  resource: Resource,
  { name = '', namespace }: ServerMeta,
): void {
  if (resource.scope !== 'Namespaced' || !namespace) return
  const stored = registry.store.get(NAMESPACES, namespace)
  if (!stored) throw new Failure(failure.notFound({ group: '', plural: 'namespaces' }, namespace))
  const { metadata } = storedObject(stored)
  if (!metadata.deletionTimestamp) return
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const status = failure.forbidden(resource, name, why)
  throw new Failure({
    ...status,
    details: {
      ...status.details,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  })
}
