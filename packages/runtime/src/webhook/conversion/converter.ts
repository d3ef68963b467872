import type { DeepInput, KnownFields, MutableOf, ObjectOf } from '@homeostat/api'
import type { KeyPath } from './kept-fields.ts'

/** The metadata that a conversion may change. */
export interface ConvertedMetadata {
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly annotations?: Readonly<Record<string, string>> | undefined
}

/**
 * The result of a converter: the object without its type and metadata, which stay the same. It may return labels and
 * annotations; an API server refuses any other change of the metadata.
 */
export type ConvertedOf<K> = DeepInput<Omit<MutableOf<K>, 'apiVersion' | 'kind' | 'metadata'>> & {
  readonly metadata?: ConvertedMetadata | undefined
}

/** Fields that one version holds and the other does not. They are kept in an annotation of the object. */
export interface KeptFields<Version, Stored> {
  /** Fields of the stored version, such as `['spec.theme']`. */
  readonly stored?: readonly KeyPath<ObjectOf<Stored>>[] | undefined
  /** Fields of the other version. */
  readonly version?: readonly KeyPath<ObjectOf<Version>>[] | undefined
}

/**
 * How objects of one version become objects of the stored version, and back. Both functions must depend only on the
 * object: an API server calls them for each object of a list. The client gets the message of an error that they throw.
 */
export interface Converter<Version, Stored> {
  readonly toStored: (object: ObjectOf<Version>) => ConvertedOf<Stored>
  readonly fromStored: (object: ObjectOf<Stored>) => ConvertedOf<Version>
  /** Fields that would otherwise be lost. The kept values replace those that the functions return. Default: none. */
  readonly keeps?: KeptFields<Version, Stored> | undefined
}

/** A {@link Converter} that returns the types `S` and `V`, in which the compiler looks for unknown fields. */
export interface CheckedConverter<Version, Stored, S, V> {
  readonly toStored: (object: ObjectOf<Version>) => Checked<Stored, S>
  readonly fromStored: (object: ObjectOf<Stored>) => Checked<Version, V>
  /** Fields that would otherwise be lost. The kept values replace those that the functions return. Default: none. */
  readonly keeps?: KeptFields<Version, Stored> | undefined
}

type Checked<K, R> = R extends KnownFields<R, ConvertedOf<K>> ? R : KnownFields<R, ConvertedOf<K>>

/** A converter between any versions. */
export interface AnyConverter {
  readonly toStored: (object: any) => object
  readonly fromStored: (object: any) => object
  readonly keeps?:
    | { readonly stored?: readonly string[] | undefined; readonly version?: readonly string[] | undefined }
    | undefined
}
