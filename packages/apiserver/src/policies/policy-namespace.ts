import { failure } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import { isNamespaces } from '../matching/index.ts'
import { Failure, type Registry, storedObject, type ServerObject } from '../registry/index.ts'

/**
 * The namespace of a request; undefined for cluster-scoped requests. Fails with `Failure` where it does not exist.
 */
export function policyNamespace(registry: Registry, request: AdmissionRequest): ServerObject | undefined {
  const { namespace = '', resource } = request
  if (namespace === '' || isNamespaces(resource)) return undefined
  const stored = registry.store.get('/namespaces', namespace)
  if (!stored) throw new Failure(failure.notFound({ group: '', plural: 'namespaces' }, namespace))
  return storedObject(stored)
}
