import type { AnyKind, ObjectOf } from '@homeostat/api'

/** The depth minus one. It ends the paths of types that contain themselves. */
interface Less {
  4: 3
  3: 2
  2: 1
  1: 0
  0: 0
}

/**
 * The paths to the fields of an object, as Kubernetes' messages write them: `spec.replicas`, `spec.containers[0].image`,
 * `spec.limits[cpu]`. The first four steps are checked by name; deeper steps may be any text. `FieldPath<typeof Pod>` are
 * the paths to the fields of a Pod.
 */
export type FieldPath<T> = unknown extends T ? string : T extends AnyKind ? ObjectPath<T> : PathIn<T>

type PathIn<T, Depth extends keyof Less = 4> = unknown extends T
  ? string
  : T extends object
    ? { [K in keyof T & string]-?: K | Below<K, NonNullable<T[K]>, Depth> }[keyof T & string]
    : never

type Below<Prefix extends string, V, Depth extends keyof Less> = unknown extends V
  ? Deeper<Prefix>
  : V extends readonly (infer Item)[]
    ? `${Prefix}[${number}]` | (Item extends object ? `${Prefix}[${number}].${Inside<Item, Depth>}` : never)
    : V extends object
      ? string extends keyof V
        ? `${Prefix}[${string}]${string}`
        : `${Prefix}.${Inside<V, Depth>}`
      : never

type Inside<V, Depth extends keyof Less> = Depth extends 0 ? string : PathIn<V, Less[Depth]>

type Deeper<Prefix extends string> = `${Prefix}.${string}` | `${Prefix}[${string}`

/**
 * The paths to the fields of a Kubernetes object, or of the objects of a kind. Those of its metadata are not checked: all
 * objects have the same.
 */
export type ObjectPath<O> = O extends AnyKind
  ? ObjectPath<ObjectOf<O>>
  : O extends object
    ? PathIn<Omit<O, 'apiVersion' | 'kind' | 'metadata'>> | 'metadata' | `metadata.${string}`
    : never

/** The value at a path; `undefined` where there is none. */
export function valueAt(object: unknown, path: string): unknown {
  let value: unknown = object
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    const key = name ?? index ?? ''
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
