import type { AnyKind, DeepReadonly, Kind, ReadMeta, Scope } from '@homeostat/api'

/** An object with nothing but its metadata. */
export interface ObjectMetadata<S extends Scope> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: DeepReadonly<ReadMeta<S>>
}

/** The types of {@link MetadataOnly}: such objects are read, and never written. */
export interface MetadataTypes<S extends Scope> {
  read: { apiVersion: string; kind: string; metadata: ReadMeta<S> }
  object: ObjectMetadata<S>
  create: never
  apply: never
  status: never
  mergePatch: never
  strategicPatch: never
  fields: never
  scope: S
}

/** A kind that is watched and kept with the metadata of its objects only. */
export interface MetadataOnly<K extends AnyKind> extends Kind<MetadataTypes<K['scope']>> {
  readonly metadataOnly: true
}

/**
 * The same kind with only the metadata of its objects: for `watches`, informers and cached reads where names, labels
 * and owners are enough. It takes a fraction of the memory and has its own informer.
 */
export function metadataOnly<K extends AnyKind>(kind: K): MetadataOnly<K> {
  return { ...kind, metadataOnly: true } as unknown as MetadataOnly<K>
}

export function isMetadataOnly(kind: AnyKind): boolean {
  return (kind as Partial<MetadataOnly<AnyKind>>).metadataOnly === true
}
