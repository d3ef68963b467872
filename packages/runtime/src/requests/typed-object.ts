import {
  apiVersionOf,
  HomeostatError,
  type AnyKind,
  type KubernetesObject,
  type ObjectKey,
} from '@homeostat/api'
import { checkWhole } from './metadata-only.ts'

/** The object that a write sends, with its apiVersion and kind, which callers may leave out. */
export function typedObject(kind: AnyKind, object: object): object {
  checkWhole(kind)
  const { apiVersion = apiVersionOf(kind), kind: name = kind.kind }: Partial<KubernetesObject> = object
  if (name !== kind.kind || apiVersion !== apiVersionOf(kind)) {
    throw new HomeostatError(
      'CLIENT_KIND_MISMATCH',
      `a ${name} of ${apiVersion} was given as a ${kind.kind} of ${apiVersionOf(kind)}. Pass the object's own kind, or leave apiVersion and kind out.`,
    )
  }
  return { apiVersion, kind: name, ...object }
}

/** The key of an object or a reference, without its other fields. */
export function nameOf({ name, namespace }: ObjectKey): ObjectKey {
  return namespace ? { namespace, name } : { name }
}
