import {
  apiVersionOf,
  goQuote,
  type AnyKind,
  type DeepReadonly,
  type ObjectMetaInput,
  type ObjectOf,
} from '@homeostat/api'
import { textOf } from '../review/index.ts'

/**
 * An object that is about to be created: the server has filled in its defaults, but perhaps not yet its name, its uid and the
 * other metadata of stored objects.
 */
export type NewObjectOf<K> = K extends AnyKind
  ? Omit<ObjectOf<K>, 'metadata'> & { readonly metadata: DeepReadonly<ObjectMetaInput> }
  : never

/** An object of any kind, as a policy over many kinds sees it. */
export interface UnstructuredObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: DeepReadonly<ObjectMetaInput>
  readonly [field: string]: unknown
}

/** Why an object cannot be handed to a handler for these kinds; `undefined` where it can. */
export function objectProblem(object: unknown, kinds: readonly AnyKind[]): string | undefined {
  if (object === null) return 'there is no content to decode'
  if (typeof object !== 'object' || Array.isArray(object)) return 'the object is not a JSON object'
  const { apiVersion, kind } = object as { readonly apiVersion?: unknown; readonly kind?: unknown }
  if (kinds.some((known) => known.kind === kind && apiVersionOf(known) === apiVersion)) return undefined
  return `no kind ${goQuote(textOf(kind))} is registered for version ${goQuote(textOf(apiVersion))}`
}
