import { matchesLabels, parseApiVersion } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import { isNamespaces } from '../matching/index.ts'
import {
  collectionOf,
  keyIn,
  type Registry,
  type Resource,
  served,
  storedObject,
  type ServerObject,
} from '../registry/index.ts'
import type { Stored } from '../storage/index.ts'
import type { ParamKind, ParamRef, Policy, PolicyBinding } from './policy.ts'

/** Why a policy or a binding of it cannot be used. The failure policy decides whether the request is refused. */
export class PolicyConfigurationError extends Error {
  override readonly name = 'PolicyConfigurationError'
}

/** The resource of a policy's parameters; undefined where it has none. Fails where no such kind is served. */
export function paramResource(registry: Registry, { paramKind }: Policy): Resource | undefined {
  if (!paramKind) return undefined
  const { group, version } = parseApiVersion(paramKind.apiVersion)
  const found = registry.catalogue
    .all()
    .find((one) => one.group === group && one.version === version && one.kind === paramKind.kind)
  if (found) return found
  throw new PolicyConfigurationError(
    `failed to find resource referenced by paramKind: '${kindText(paramKind)}'`,
  )
}

function kindText({ apiVersion, kind }: ParamKind): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`
}

/**
 * The parameters of a binding. Its policy is evaluated once with each of them; undefined stands for no parameter.
 * Fails with
 * `PolicyConfigurationError` where the binding does not fit the kind, or requires parameters that do not exist.
 * Returns a promise only where a webhook converts the parameters.
 */
export function collectParams(
  registry: Registry,
  resource: Resource | undefined,
  { paramRef }: PolicyBinding,
  request: AdmissionRequest,
): readonly (ServerObject | undefined)[] | Promise<readonly (ServerObject | undefined)[]> {
  if (!resource || !paramRef) return [undefined]
  const namespace = paramNamespace(resource, paramRef, request)
  const found = storedParams(registry, resource, namespace, paramRef)
  if (found.length === 0 && paramRef.deniesWithout) {
    throw new PolicyConfigurationError(
      'no params found for policy binding with `Deny` parameterNotFoundAction',
    )
  }
  if (found.length === 0) return []
  const read = registry.conversions.read(found, { resource, waiting: request.waiting })
  const objects = (entries: readonly Stored[]): readonly ServerObject[] =>
    entries.map((entry) => served(entry, resource))
  return read instanceof Promise ? read.then(objects) : objects(read)
}

function storedParams(
  { store }: Registry,
  resource: Resource,
  namespace: string | undefined,
  { name, selector }: ParamRef,
): readonly Stored[] {
  const collection = collectionOf(resource)
  if (name) {
    const found = store.get(collection, keyIn(resource, namespace, name))
    return found ? [found] : []
  }
  const prefix = namespace === undefined ? {} : { prefix: `${namespace}/` }
  return store
    .snapshot({ collection, ...prefix })
    .filter((entry) => !selector || matchesLabels(selector, storedObject(entry).metadata.labels))
}

function paramNamespace(
  resource: Resource,
  paramRef: ParamRef,
  request: AdmissionRequest,
): string | undefined {
  if (resource.scope !== 'Namespaced') {
    if (paramRef.namespace === '') return undefined
    throw new PolicyConfigurationError(
      'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    )
  }
  const own = isNamespaces(request.resource) ? request.name : request.namespace
  const namespace = paramRef.namespace || own || ''
  if (namespace !== '') return namespace
  throw new PolicyConfigurationError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  )
}
