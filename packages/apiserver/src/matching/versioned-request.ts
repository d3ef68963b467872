import { apiVersionOf, failure } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import { convertedTo, Failure, type Registry, type Resource, type ServerObject } from '../registry/index.ts'
import { copyJson } from '../schema/index.ts'
import type { RequestedResource } from './matching-rule.ts'

/** A request as a webhook or policy sees it: with `matchPolicy: Equivalent` perhaps in another version. */
export interface VersionedRequest {
  readonly kind: AdmissionRequest['kind']
  readonly resource: RequestedResource
  readonly object: Readonly<ServerObject> | undefined
  readonly oldObject: Readonly<ServerObject> | undefined
}

/**
 * The request with its objects in the version of a resource. Returns a promise only where a webhook converts them.
 */
export function inVersion(
  registry: Registry,
  request: AdmissionRequest,
  resource: RequestedResource,
): VersionedRequest | Promise<VersionedRequest> {
  const { object, oldObject } = request
  if (resource === request.resource) return { kind: request.kind, resource, object, oldObject }
  const { group, version, plural } = resource
  if (request.submitted) {
    return { kind: request.kind, resource: { group, version, plural }, object, oldObject }
  }
  const other = registry.catalogue.find(group, version, plural)
  if (!other) throw new Error(`${plural}.${version}.${group} is no longer served`)
  const named = { kind: { group, version, kind: other.kind }, resource: { group, version, plural } }
  if (other.conversionWebhook === undefined) {
    const converted = (one: Readonly<ServerObject> | undefined): ServerObject | undefined =>
      one && convertedTo(copyJson(one), other)
    return { ...named, object: converted(object), oldObject: converted(oldObject) }
  }
  return convert(registry, [object, oldObject], other, request).then(([now, before]) => ({
    ...named,
    object: now,
    oldObject: before,
  }))
}

/** Converts an object that was changed in another version back to the version of the request. */
export async function inRequestVersion(
  registry: Registry,
  changed: ServerObject,
  request: AdmissionRequest,
): Promise<ServerObject> {
  const { group, version, plural } = request.resource
  const own = registry.catalogue.find(group, version, plural)
  if (!own || request.submitted || changed.apiVersion === request.object?.apiVersion) return changed
  if (own.conversionWebhook === undefined) return convertedTo(changed, own)
  const [converted = changed] = await convert(registry, [changed], own, request)
  return converted
}

/** Objects in a version that only a webhook converts to. */
async function convert(
  { conversions }: Registry,
  objects: readonly (Readonly<ServerObject> | undefined)[],
  resource: Resource,
  { waiting }: Pick<AdmissionRequest, 'waiting'>,
): Promise<(ServerObject | undefined)[]> {
  const given = objects.filter((object) => object !== undefined).map((object) => copyJson(object))
  try {
    const converted = await conversions.between(given, apiVersionOf(resource), { resource, waiting })
    return objects.map((object) => object && converted.shift())
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(failure.internalError(error.status.message ?? ''))
  }
}
