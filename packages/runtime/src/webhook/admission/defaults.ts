import {
  apiVersionOf,
  applyMergePatch,
  deepFreeze,
  isJsonObject,
  unknownFields,
  type AnyKind,
  type KnownFields,
  type MergePatchOf,
  type ObjectOf,
} from '@homeostat/api'
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

/** {@link Defaults} that return the type `R`, in which the compiler looks for unknown fields. */
export type CheckedDefaults<K, R> = (
  object: NewObjectOf<K>,
  context: AdmissionContext<ObjectOf<K>>,
) => R extends KnownResult<K, R> ? R : KnownResult<K, R>

/** The result of {@link Defaults}. */
export type DefaultsResult<K> = MergePatchOf<K> | Denied | undefined | void

type KnownResult<K, R> =
  R extends Promise<infer Result>
    ? Promise<KnownResult<K, Result>>
    : R extends Denied | undefined | void
      ? R
      : KnownFields<R, MergePatchOf<K>>

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
    checkFields(kinds, object, change)
    return patched(applyMergePatch(object, change) as object)
  }
}

/** No object of a kind has such a `type` and a `status` of a refusal. */
export function isDenied(result: object): result is Denied {
  return 'type' in result && result.type === 'denied' && 'status' in result
}

/** Throws for a field that the kind does not have, because a server drops it. What the object has already may be returned. */
function checkFields(kinds: readonly AnyKind[], object: unknown, change: object): void {
  if (!isJsonObject(object)) return
  const { apiVersion, kind } = object
  const schema = kinds.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion)?.schema
  if (!schema) return
  const found = unknownFields(schema, withoutMetadata(change))
  if (found.length === 0) return
  const before = new Set(unknownFields(schema, withoutMetadata(object)).map(({ place }) => place))
  const added = found.find(({ place }) => !before.has(place))
  if (!added) return
  const remedy = added.nearest === undefined ? 'leave it out' : `did you mean ${added.nearest}?`
  throw new TypeError(
    `the defaults returned ${added.path}, a field that ${String(kind)} does not have: ${remedy}`,
  )
}

/** The metadata is the same for all kinds, and their schemas say nothing of its fields. */
function withoutMetadata(object: object): object {
  return { ...object, metadata: undefined }
}

function noPart(change: unknown): TypeError {
  return new TypeError(
    `the defaults returned ${JSON.stringify(change)}: return a part of the object, denied(…) or nothing`,
  )
}
