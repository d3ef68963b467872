import { applyMergePatch, deepFreeze, type AnyKind, type MergePatchOf, type ObjectOf } from '@homeostat/api'
import { errored, type Decide } from './admission-review.ts'
import { objectProblem, type NewObjectOf } from './admitted-object.ts'
import type { AdmissionContext } from './context.ts'
import { allowed, patched, type Denied } from './result.ts'

/**
 * Returns a part of the object, which is merged into the object: null removes a field, and a list replaces
 * the whole list. `undefined` changes nothing, and `denied(…)` refuses the request.
 */
export type Defaults<K> = (
  object: NewObjectOf<K>,
  context: AdmissionContext<ObjectOf<K>>,
) => DefaultsResult<K> | Promise<DefaultsResult<K>>

/** The result of {@link Defaults}. */
export type DefaultsResult<K> = MergePatchOf<K> | Denied | undefined | void

/** Defaults of any kind. */
export type AnyDefaults = (object: any, context: AdmissionContext<any>) => unknown

/** Decides by defaults. Allows requests to delete, which have no object to change. */
export function decideByDefaults(kinds: readonly AnyKind[], defaults: AnyDefaults): Decide {
  return async (request, context) => {
    if (request.operation === 'DELETE') return allowed()
    const { object } = request
    const problem = objectProblem(object, kinds)
    if (problem !== undefined) return errored(400, problem)
    const change: unknown = await defaults(deepFreeze(object), context)
    if (change === undefined) return allowed()
    if (typeof change !== 'object' || change === null || Array.isArray(change)) throw noPart(change)
    if (isDenied(change)) return change
    return patched(applyMergePatch(object, change) as object)
  }
}

/** No object of a kind has such a `type` and a `status` of a refusal. */
export function isDenied(result: object): result is Denied {
  return 'type' in result && result.type === 'denied' && 'status' in result
}

function noPart(change: unknown): TypeError {
  return new TypeError(
    `the defaults returned ${JSON.stringify(change)}: return a part of the object, denied(…) or nothing`,
  )
}
