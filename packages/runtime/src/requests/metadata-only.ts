import {
  HomeostatError,
  type AnyKind,
  type DeepReadonly,
  type Kind,
  type MutableOf,
  type NoWrites,
  type ReadMeta,
  type Scope,
} from '@homeostat/api'

/** An object with nothing but its metadata. */
export interface ObjectMetadata<S extends Scope> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: DeepReadonly<ReadMeta<S>>
}

/** The types of {@link MetadataOnly}: such objects are read, and never written. */
export interface MetadataTypes<S extends Scope> {
  read: NoWrites
  object: ObjectMetadata<S>
  create: NoWrites
  apply: NoWrites
  status: NoWrites
  mergePatch: NoWrites
  strategicPatch: NoWrites
  fields: never
  scope: S
}

/** A kind that is watched and kept with the metadata of its objects only. */
export interface MetadataOnly<K extends AnyKind> extends Kind<MetadataTypes<K['scope']>> {
  readonly metadataOnly: true
}

/**
 * A kind with only the metadata of its objects: for `watches`, informers and cached reads where names, labels and
 * owners are enough. It takes a fraction of the memory of the whole kind, and has its own informer.
 */
export function metadataOnly<K extends AnyKind>(kind: K): MetadataOnly<K> {
  return { ...kind, metadataOnly: true } as unknown as MetadataOnly<K>
}

/** An object as a cache is about to keep it, which a transform may change. */
export type KeptOf<K extends AnyKind> =
  K extends MetadataOnly<AnyKind>
    ? { apiVersion: string; kind: string; metadata: ReadMeta<K['scope']> }
    : MutableOf<K>

export function isMetadataOnly(kind: AnyKind): boolean {
  return (kind as Partial<MetadataOnly<AnyKind>>).metadataOnly === true
}

/**
 * Throws a `HomeostatError` with code `CLIENT_KIND_METADATA_ONLY` for a kind with metadata only: a write of the whole
 * object would remove all that the metadata does not contain.
 */
export function checkWhole(kind: AnyKind): void {
  if (!isMetadataOnly(kind)) return
  throw new HomeostatError(
    'CLIENT_KIND_METADATA_ONLY',
    `metadataOnly(${kind.kind}) is for reads and watches: a write would remove all of the object but its metadata. Write with ${kind.kind} itself.`,
  )
}
