import { failure, numberText, type ApiResponse, type Status } from '@homeostat/api'
import {
  applied,
  appliedObject,
  applyBody,
  applyScale,
  checkName,
  Failure,
  getScale,
  patchBody,
  SCALE,
  type ServerObject,
  updateScale,
  type WantedScale,
} from '../../registry/index.ts'
import { causesOf, invalidValue, objectOf } from '../../schema/index.ts'
import { jsonKind, mediaType } from '../../wire/index.ts'
import { scaleResource } from '../../discovery/index.ts'
import { acceptedBy, documentAnswer, statusAnswer } from '../answer/answer.ts'
import { targetOf, type Call } from '../request/call.ts'
import { objectBody } from '../request/sent-body.ts'
import { shortBody } from '../request/short-body.ts'
import { admittedOptions } from '../request/write-options.ts'

const STRATEGIC = 'application/strategic-merge-patch+json'
const PATCH_TYPES = ['application/json-patch+json', 'application/merge-patch+json', STRATEGIC]
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
      const { object } = objectBody(call, SCALE)
      checkReplicas(object, (problem) =>
        failure.badRequest(`Scale in version "v1" cannot be handled as a Scale: ${problem}`),
      )
      checkName(object, target.name)
      const { resourceVersion } = object.metadata
      return updateScale(registry, target, () => ({ scale: object, resourceVersion }), options)
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
      const types = PATCH_TYPES.filter((one) => !resource.custom || one !== STRATEGIC)
      if (!types.includes(type)) throw new Failure(failure.unsupportedMediaType([...types, APPLY]))
      const options = admittedOptions(call, 'PatchOptions')
      // A Scale has no lists: a strategic merge is a merge.
      const kind = type === 'application/json-patch+json' ? 'json' : 'merge'
      const { value, duplicates } = patchBody(shortBody(request), kind)
      const change = (current: ServerObject): WantedScale => {
        const patched = applied({ type: kind, body: value, duplicates }, current, resource) as ServerObject
        checkReplicas(patched, (problem) => {
          const cause = invalidValue('patch', JSON.stringify(patched), problem)
          return failure.invalid({ group: '', kind: '' }, '', causesOf([cause]))
        })
        // Only a version that the patch itself gives is a condition.
        const { resourceVersion } = patched.metadata
        const isGiven = resourceVersion !== current.metadata.resourceVersion
        return { scale: patched, resourceVersion: isGiven ? resourceVersion : undefined }
      }
      return updateScale(registry, target, change, options)
    }
    default:
      return undefined
  }
}

/** Replicas are a whole number of 32 bits. */
function checkReplicas(scale: ServerObject, refuse: (problem: string) => Status): void {
  const replicas = objectOf(scale['spec'])['replicas'] ?? 0
  if (typeof replicas === 'number' && replicas === (replicas | 0)) return
  const shown = numberText(replicas)
  const kind = `${jsonKind(replicas)}${shown === undefined ? '' : ` ${shown}`}`
  throw new Failure(
    refuse(`json: cannot unmarshal ${kind} into Go struct field ScaleSpec.spec.replicas of type int32`),
  )
}
