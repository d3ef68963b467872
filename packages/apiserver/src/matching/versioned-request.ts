import { apiVersionOf, failure } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import { convertedTo, Failure, type Registry, type Resource, type ServerObject } from '../registry/index.ts'
import { copyJson } from '../schema/index.ts'
import type { RequestedResource } from './matching-rule.ts'

/** The form in which a webhook or policy sees a request: `matchPolicy: Equivalent` may ask for another version of the object. */
export interface VersionedRequest {
  readonly kind: AdmissionRequest['kind']
  readonly resource: RequestedResource
  readonly object: Readonly<ServerObject> | undefined
  readonly oldObject: Readonly<ServerObject> | undefined
}

/** The request as a resource serves its objects. A promise only where a webhook converts them. */
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

/** An object that was changed in another version, in the version of the request again. */
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
