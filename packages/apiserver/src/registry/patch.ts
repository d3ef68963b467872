import { failure, HomeostatError } from '@homeostat/api'
import * as api from '@homeostat/api'
import { isObject } from '../schema/json.ts'
import type { Written } from './create.ts'
import { Failure } from './failure.ts'
import { takeIn } from './incoming.ts'
import type { Registry } from './registry.ts'
import type { Resource } from './resource.ts'
import type { ServerObject } from './server-object.ts'
import type { Target, WriteOptions } from './target.ts'
import { update } from './update.ts'

/** The kinds of patches that change an object as it is. */
export type PatchType = 'json' | 'merge' | 'strategic'

/** A patch as it came. */
export interface PatchRequest {
  readonly type: PatchType
  readonly body: unknown
  /** Fields that stood twice in it. */
  readonly duplicates: readonly string[]
  readonly subresource?: 'status' | undefined
}

/** Changes an object by a patch. It is applied again when another write comes in between. */
export function patch(
  registry: Registry,
  target: Target,
  request: PatchRequest,
  options: WriteOptions,
): Promise<Written> {
  const { resource } = target
  return update(
    registry,
    target,
    {
      subresource: request.subresource,
      change: (current) => {
        const patched = applied(request, current ?? {}, resource)
        return takeIn(
          named(patched, resource),
          resource,
          registry.rules(resource),
          options,
          request.duplicates,
        )
      },
    },
    options,
  )
}

/** The object with the patch applied, as a copy. Fails as the API does when it does not fit. */
export function applied(request: PatchRequest, current: object, resource: Resource): unknown {
  try {
    if (request.type === 'json') return api.applyJsonPatch(current, request.body as never)
    if (!isObject(request.body)) throw new Failure(failure.badRequest('the patch is not an object'))
    if (request.type === 'merge') return api.applyMergePatch(current, request.body)
    const { root, definitions } = resource.schema
    return api.applyStrategicMergePatch(current, request.body, api.patchSchemaOf(root, definitions))
  } catch (error) {
    if (error instanceof HomeostatError && error.code in REFUSALS) {
      throw new Failure(REFUSALS[error.code as keyof typeof REFUSALS](error.message))
    }
    throw error
  }
}

const REFUSALS = {
  PATCH_INVALID: (message: string) => failure.badRequest(message),
  PATCH_TOO_LARGE: (message: string) => failure.requestEntityTooLarge(message),
  PATCH_FAILED: (message: string) => ({
    ...failure.badRequest(message),
    message: `the server rejected our request due to an error in our request`,
    reason: 'Invalid',
    details: { causes: [{ message }] },
    code: 422,
  }),
}

/** A patch must leave an object of the same kind. */
function named(value: unknown, resource: Resource): ServerObject {
  if (!isObject(value) || !isObject(value['metadata'])) {
    throw new Failure(failure.badRequest('the patch leaves no object with metadata'))
  }
  const object = value as unknown as ServerObject
  object.kind = resource.kind
  object.apiVersion = api.apiVersionOf(resource)
  return object
}
