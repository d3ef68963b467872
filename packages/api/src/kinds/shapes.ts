// Each shape is a choice between a list, an object and a value. Editors and messages show the resulting type by a
// name, `ReadonlyFields<PodSpec>`, instead of all fields of a PodSpec.

/**
 * Whether a type is a map of texts, such as labels, without named keys. Messages then show its usual name, which says
 * more than its fields.
 */
type IsTextMap<T> = string extends keyof T
  ? // The values of a map of anything are no texts.
    unknown extends T[string]
    ? false
    : T extends Record<string, string>
      ? Record<string, string> extends T
        ? true
        : false
      : false
  : false

/** A type with all of its parts read-only: what a cache may return to several readers at once. */
export type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : IsTextMap<T> extends true
    ? Readonly<Record<string, string>>
    : T extends object
      ? ReadonlyFields<T>
      : T

/** A read-only object. */
export type ReadonlyFields<T> = { readonly [K in keyof T]: DeepReadonly<T[K]> }

/** A type as an argument: its lists may also be read-only ones, such as those of an object that was read. */
export type DeepInput<T> = T extends readonly (infer E)[]
  ? readonly DeepInput<E>[]
  : IsTextMap<T> extends true
    ? Record<string, string>
    : T extends object
      ? InputFields<T>
      : T

/** An object as an argument. */
export type InputFields<T> = { [K in keyof T]: DeepInput<T[K]> }

/** Any part of a shape, as an argument: every key may be left out, also inside the items of lists. */
export type DeepPartial<T> = T extends readonly (infer E)[]
  ? readonly DeepPartial<E>[]
  : T extends object
    ? PartialFields<T>
    : T

/** Any part of an object, as an argument. */
export type PartialFields<T> = { [K in keyof T]?: DeepPartial<T[K]> | undefined }

/**
 * A merge patch of a shape: every key may be left out, and null removes it. A list replaces the whole list, so its
 * items must be complete.
 */
export type DeepMergePatch<T> = T extends readonly unknown[]
  ? DeepInput<T>
  : T extends object
    ? MergePatchFields<T>
    : T

/** A merge patch of an object. */
export type MergePatchFields<T> = { [K in keyof T]?: DeepMergePatch<T[K]> | null | undefined }

/** A strategic merge patch of a shape: like a merge patch, but items of lists are merged, and `$` begins a directive. */
export type DeepStrategicPatch<T> = T extends readonly (infer E)[]
  ? readonly DeepStrategicPatch<E>[]
  : T extends object
    ? StrategicPatchFields<T>
    : T

/** A strategic merge patch of an object. */
export type StrategicPatchFields<T> = { [K in keyof T]?: DeepStrategicPatch<T[K]> | null | undefined } & {
  [directive: `$${string}`]: unknown
}
