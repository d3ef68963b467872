import type { KeyOfScope, KubernetesObject, ObjectMeta, ObjectMetaInput } from '../names/index.ts'
import type { StructuralSchema } from '../schema/index.ts'
import type { DeepInput, DeepMergePatch, DeepReadonly } from './shapes.ts'

export type Scope = 'Namespaced' | 'Cluster'

/** The TypeScript types that a kind carries. They exist for the compiler alone. */
export interface KindTypes {
  /** The object as it is read: as the server stores it, with its defaults. */
  read: object | NoWrites
  /** The object as it is read, but read-only: what readers return. */
  object: object
  /** The object of a create or an update: defaults may be left out. */
  create: object | NoWrites
  /** The document of an apply: any part of the object, except the status and fields that the server sets. */
  apply: object | NoWrites
  /** The status as it may be applied; `NoStatus` where the kind has none. */
  status: object | NoStatus | NoWrites
  /** The body of a merge patch: any part of it, where null removes a field and a list replaces the whole list. */
  mergePatch: object | NoWrites
  /** The body of a strategic merge patch, which servers take for native kinds only. */
  strategicPatch: unknown
  /** The fields by which the server selects, besides the object's name and namespace. */
  fields: string
  scope: Scope
}

/** Stands for the status of a kind that has none. Messages of the compiler show it. */
export type NoStatus = 'This kind has no status'

/** Stands for what may be written of a kind that is only read. Messages of the compiler show it. */
export type NoWrites = 'metadataOnly(…) is for reads and watches: write with the kind itself'

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  /** A simple JSON path such as `.spec.replicas` or `.status.conditions[?(@.type=="Ready")].status`. */
  readonly path: string
  readonly description?: string
  readonly format?: string
  /** Columns above 0 show only with `-o wide`. */
  readonly priority?: number
}

/**
 * A kind of object, as a value: the client's route, the types, and for a custom kind its schema and everything else
 * in its CustomResourceDefinition.
 */
export interface Kind<T extends KindTypes = AnyKindTypes> {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly listKind: string
  readonly scope: T['scope']
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly columns: readonly PrinterColumn[]
  readonly subresources: { readonly status: boolean; readonly scale?: ScaleSubresource | undefined }
  /** Paths that a field selector may name besides the object's name and namespace. Custom kinds only. */
  readonly selectableFields?: readonly string[] | undefined
  /** Whether a server warns clients that use this version; a text is the warning itself. Custom kinds only. */
  readonly deprecated?: boolean | string | undefined
  /** False where a definition keeps this version but does not serve it. Custom kinds only. */
  readonly served?: boolean | undefined
  /** The schema of a custom kind; native kinds carry none. */
  readonly schema?: StructuralSchema | undefined
  /** Never present at run time: it carries the types. */
  readonly types?: T | undefined
}

/** Where `scale` reads and writes. */
export interface ScaleSubresource {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

/** The types of an unknown kind: only what all objects have in common. */
export interface AnyKindTypes {
  read: KubernetesObject & Record<string, unknown>
  object: DeepReadonly<KubernetesObject & Record<string, unknown>>
  create: { metadata: ObjectMetaInput } & Record<string, unknown>
  apply: { metadata: ObjectMetaInput } & Record<string, unknown>
  status: Record<string, unknown>
  mergePatch: object
  strategicPatch: object
  fields: string
  scope: Scope
}

/** Any kind: for functions that take all of them. */
export type AnyKind = Kind<any>

type TypesOf<K> = K extends Kind<infer T> ? T : never

/**
 * The types of a kind whose objects have a name. TypeScript prints interfaces by their names, and all other types in
 * full, so that an editor shows `Kind<BackupTypes>` and `Backup` instead of the whole schema:
 *
 * ```ts
 * const backup = defineKind({ … })
 * export interface Backup extends ObjectOf<typeof backup> {}
 * interface BackupTypes extends NamedTypes<typeof backup, Backup> {}
 * export const Backup: Kind<BackupTypes> = backup
 * ```
 */
export type NamedTypes<K, Named extends ObjectOf<K>> = Omit<TypesOf<K>, 'object'> & { object: Named }

/** An object of a kind as it is read: read-only, because a cache may return the same object to other callers. */
export type ObjectOf<K> = TypesOf<K>['object']
/** Like `ObjectOf`, as a copy that the caller may change. */
export type MutableOf<K> = TypesOf<K>['read']
/** The argument of `create` and `update`. */
export type CreateOf<K> = TypesOf<K>['create']
/** The argument of `apply`; `apiVersion` and `kind` follow from the kind. */
export type ApplyOf<K> = TypesOf<K>['apply']
/** The argument of `status.apply`. */
export type StatusOf<K> = TypesOf<K>['status']
/** The content of a merge patch. */
export type MergePatchOf<K> = TypesOf<K>['mergePatch']
/** The content of a strategic merge patch. */
export type StrategicPatchOf<K> = TypesOf<K>['strategicPatch']
/** The fields by which a server selects objects of the kind. */
export type SelectableFieldOf<K> =
  // Inferred, so that messages show the fields and not the name of this type.
  TypesOf<K> extends { scope: infer S; fields: infer Fields extends string }
    ? 'metadata.name' | ('Namespaced' extends S ? 'metadata.namespace' : never) | Fields
    : never
/** Names one object of the kind: with a namespace if and only if the kind is namespaced. */
export type KeyOf<K> = TypesOf<K>['scope'] extends 'Cluster'
  ? KeyOfScope<'Cluster'>
  : TypesOf<K>['scope'] extends 'Namespaced'
    ? KeyOfScope<'Namespaced'>
    : KeyOfScope<Scope>

/** The `metadata` of an object that a server returned. */
export type ReadMeta<S extends Scope> = S extends 'Namespaced'
  ? ObjectMeta & { namespace: string }
  : S extends 'Cluster'
    ? ObjectMeta & { namespace?: undefined }
    : ObjectMeta
/** The `metadata` that `create` accepts: a name or a prefix for one, and a namespace if the kind is namespaced. */
export type CreateMeta<S extends Scope> = DeepInput<ObjectMetaInput> &
  ({ name: string } | { generateName: string }) &
  (S extends 'Namespaced' ? { namespace: string } : unknown)
/** The `metadata` that a patch accepts. */
export type PatchMeta = DeepMergePatch<ObjectMetaInput>
/** The `metadata` that `apply` accepts. */
export type ApplyMeta<S extends Scope> = DeepInput<
  Pick<ObjectMetaInput, 'labels' | 'annotations' | 'ownerReferences' | 'finalizers'>
> & { name: string } & (S extends 'Namespaced' ? { namespace: string } : unknown)
