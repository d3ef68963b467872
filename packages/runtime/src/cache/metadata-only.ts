import type { AnyKind, Kind, KubernetesObject, Scope } from '@homeostat/api'

interface MetadataTypes<S extends Scope> {
  read: KubernetesObject
  create: never
  apply: never
  status: never
  scope: S
}

/** A kind of whose objects only the metadata is watched and kept. */
export type MetadataOnly<K extends AnyKind> = Kind<MetadataTypes<K['scope']>> & {
  readonly metadataOnly: true
}

/**
 * The same kind with nothing but its objects' metadata: for `watches`, informers and cached reads where
 * names, labels and owners are enough. It takes a fraction of the memory and has an informer of its own.
 */
export function metadataOnly<K extends AnyKind>(kind: K): MetadataOnly<K> {
  return { ...kind, metadataOnly: true } as unknown as MetadataOnly<K>
}

export function isMetadataOnly(kind: AnyKind): boolean {
  return (kind as Partial<MetadataOnly<AnyKind>>).metadataOnly === true
}
