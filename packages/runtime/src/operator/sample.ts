import { apiVersionOf, type AnyKind, type CreateOf } from '@homeostat/api'

/** An object of a manifest, to try an operator with. */
export interface SampleObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name?: string | undefined; readonly namespace?: string | undefined }
}

/** A sample: an object of the kind, checked by the compiler, with its `apiVersion` and `kind`. */
export function sample<K extends AnyKind>(kind: K, object: CreateOf<K>): SampleObject & CreateOf<K> {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object }
}
