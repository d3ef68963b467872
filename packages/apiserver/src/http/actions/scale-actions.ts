import { failure, type ApiResponse } from '@homeostat/api'
import {
  appliedObject,
  applyBody,
  applyScale,
  checkName,
  checkNamespace,
  decodeAndDefault,
  Failure,
  getScale,
  type KindStrategy,
  patchBody,
  patched,
  type PatchType,
  type Resource,
  SCALE,
  type ServerObject,
  updateScale,
  type WantedScale,
} from '../../registry/index.ts'
import { mediaType } from '../../wire/index.ts'
import { scaleResource } from '../../discovery/index.ts'
import { acceptedBy, documentAnswer, statusAnswer } from '../answer/answer.ts'
import { targetOf, type Call } from '../request/call.ts'
import { objectBody } from '../request/sent-body.ts'
import { shortBody } from '../request/short-body.ts'
import { admittedOptions } from '../request/write-options.ts'

const STRATEGIC = 'application/strategic-merge-patch+json'
const PATCH_TYPES: ReadonlyMap<string, PatchType> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  [STRATEGIC, 'strategic'],
])
const APPLY = 'application/apply-patch+yaml'

/** GET, PUT and PATCH of `scale`. */
export async function scaleAction(call: Call): Promise<ApiResponse> {
  const { registry, request, resource } = call
  if (!resource.subresources.scale) return statusAnswer(failure.pathNotFound())
  const accepted = acceptedBy(request)
  const document = await scale(call)
  if (!document) return statusAnswer(failure.methodNotAllowed())
  return documentAnswer(request, accepted, {
    resource: scaleResource(resource),
    document,
    warnings: call.warnings,
    now: registry.clock.now(),
  })
}

async function scale(call: Call): Promise<ServerObject | undefined> {
  const { registry, request, resource } = call
  const target = targetOf(call)
  switch (request.method) {
    case 'GET':
      return getScale(registry, target)
    case 'PUT': {
      const options = admittedOptions(call, 'UpdateOptions')
      const { object, duplicates } = objectBody(call, SCALE)
      decodeAndDefault(object, scaleType(call), options, duplicates)
      checkNamespace(object.metadata, target.namespace)
      checkName(object, target.name)
      const { resourceVersion, uid } = object.metadata
      return updateScale(registry, target, () => ({ scale: object, resourceVersion, uid }), options)
    }
    case 'PATCH': {
      const type = mediaType(request.headers['content-type'])
      if (type === APPLY) {
        const options = admittedOptions(call, 'PatchOptions', true)
        const scale = appliedObject(applyBody(shortBody(request)).value, {
          ...resource,
          ...SCALE,
          custom: false,
        })
        return applyScale(registry, target, { scale, force: options.force }, options)
      }
      const types = [...PATCH_TYPES.keys()].filter((one) => !resource.custom || one !== STRATEGIC)
      const patchType = PATCH_TYPES.get(type)
      if (!patchType || !types.includes(type))
        throw new Failure(failure.unsupportedMediaType([...types, APPLY]))
      const options = admittedOptions(call, 'PatchOptions')
      const { value, ...rest } = patchBody(shortBody(request), patchType, true)
      const patch = { type: patchType, body: value, ...rest }
      const change = (current: ServerObject): WantedScale => {
        const scale = patched(patch, current, { resource: scaleType(call), name: target.name }, options)
        checkNamespace(scale.metadata, target.namespace)
        // Only a resourceVersion in the patch itself is a precondition.
        const { resourceVersion } = scale.metadata
        const isGiven = resourceVersion !== current.metadata.resourceVersion
        return { scale, resourceVersion: isGiven ? resourceVersion : undefined }
      }
      return updateScale(registry, target, change, options)
    }
    default:
      return undefined
  }
}

/** A Scale as a resource. The native kinds with a `scale` subresource have its definition. */
function scaleType({ registry, resource }: Call): Resource {
  const native = resource.custom
    ? registry.catalogue.all().find(({ custom, subresources }) => !custom && subresources.scale)
    : resource
  const definitions = native?.schema.definitions ?? {}
  const root = definitions['io.k8s.api.autoscaling.v1.Scale'] ?? {}
  const strategy = (): KindStrategy => ({})
  const subresources = { status: false }
  return { ...resource, ...SCALE, custom: false, schema: { root, definitions }, subresources, strategy }
}
