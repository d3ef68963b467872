import { failure, type ApiResponse } from '@homeostat/api'
import { Failure } from '../registry/failure.ts'
import { applied } from '../registry/patch.ts'
import { getScale, SCALE, updateScale } from '../registry/scale.ts'
import type { ServerObject } from '../registry/server-object.ts'
import { decodeJson, mediaType } from '../wire/index.ts'
import { acceptedBy, documentAnswer, statusAnswer } from './answer.ts'
import { targetOf, type Call } from './call.ts'
import { nameAsInPath, objectBody } from './object-body.ts'
import { writeOptions } from './request-options.ts'

/** GET, PUT and PATCH of `scale`. */
export async function scaleAction(call: Call): Promise<ApiResponse> {
  const { registry, request, resource } = call
  if (!resource.subresources.scale) return statusAnswer(failure.pathNotFound())
  const accepted = acceptedBy(request)
  const document = await scale(call)
  if (!document) return statusAnswer(failure.methodNotAllowed())
  return documentAnswer(request, accepted, { document, warnings: call.warnings, now: registry.clock.now() })
}

async function scale(call: Call): Promise<ServerObject | undefined> {
  const { registry, request, resource } = call
  const target = targetOf(call)
  const warn = (message: string): void => void call.warnings.push(message)
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return getScale(registry, target)
    case 'PUT': {
      const options = writeOptions(request, 'UpdateOptions', warn)
      const { object } = objectBody(call, SCALE)
      nameAsInPath(object, target.name)
      return updateScale(registry, target, () => object, options)
    }
    case 'PATCH': {
      const type = mediaType(request.headers['content-type'])
      if (type !== 'application/json-patch+json' && !type.endsWith('merge-patch+json')) {
        throw new Failure(
          failure.unsupportedMediaType(['application/json-patch+json', 'application/merge-patch+json']),
        )
      }
      const options = writeOptions(request, 'PatchOptions', warn)
      const { value, duplicates } = decodeJson(request.body ?? new Uint8Array())
      // A Scale has no lists: a strategic merge is a merge.
      const kind = type === 'application/json-patch+json' ? 'json' : 'merge'
      const change = (current: ServerObject): ServerObject => {
        const patched = applied({ type: kind, body: value, duplicates }, current, resource) as ServerObject
        // Only a version that the patch itself gives is a condition.
        const { resourceVersion, ...metadata } = patched.metadata
        return resourceVersion === current.metadata.resourceVersion ? { ...patched, metadata } : patched
      }
      return updateScale(registry, target, change, options)
    }
    default:
      return undefined
  }
}
