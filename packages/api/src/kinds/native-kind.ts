import type { ObjectMetaInput } from '../names/index.ts'
import type {
  ApplyMeta,
  CreateMeta,
  Kind,
  KindTypes,
  NoStatus,
  PatchMeta,
  ReadMeta,
  ScaleSubresource,
  Scope,
} from './kind.ts'
import type { DeepInput, DeepMergePatch, DeepPartial, DeepReadonly, DeepStrategicPatch } from './shapes.ts'

type Rest<T, Without extends PropertyKey = never> = {
  [K in keyof T as Exclude<K, 'apiVersion' | 'kind' | 'metadata' | Without>]: T[K]
}

/** A server always writes the spec and the status of a native object, even if they are empty. */
type Written<T> = { [K in keyof T as Extract<K, 'spec' | 'status'>]-?: NonNullable<T[K]> }

/** The type that an object names itself. */
interface Typed {
  readonly apiVersion: string
  readonly kind: string
}

/** The objects of a native kind as they are read, from the interface that describes them in the API's own terms. */
export type NativeObject<
  T extends object,
  S extends Scope,
  V extends string,
  K extends string,
> = DeepReadonly<ReadNative<T, { apiVersion: V; kind: K }, ReadMeta<S>>>

/** A review, such as a TokenReview, as the server answers it. */
export type ReviewObject<T extends object, V extends string, K extends string> = DeepReadonly<
  ReadNative<T, { apiVersion: V; kind: K }, ObjectMetaInput>
>

type ReadNative<T extends object, O extends Typed, M> = Rest<T, 'spec' | 'status'> &
  Written<T> & { apiVersion: O['apiVersion']; kind: O['kind']; metadata: M }

/**
 * The types of a native kind, from the interface that describes its objects in the API's own terms. An object that is
 * read always has its type and metadata. An object that is applied has no status, and may leave out all other fields.
 * `F` names the fields by which a server selects its objects.
 */
export interface Native<
  T extends object,
  S extends Scope,
  O extends Typed,
  F extends string = never,
> extends KindTypes {
  read: ReadNative<T, O, ReadMeta<S>>
  object: O
  create: DeepInput<Rest<T>> & {
    apiVersion?: string | undefined
    kind?: string | undefined
    metadata: CreateMeta<S>
  }
  apply: DeepPartial<Rest<T, 'status'>> & {
    apiVersion?: string | undefined
    kind?: string | undefined
    metadata: ApplyMeta<S>
  }
  status: 'status' extends keyof T ? DeepPartial<NonNullable<T['status' & keyof T]>> & object : NoStatus
  mergePatch: DeepMergePatch<Rest<T>> & { metadata?: PatchMeta | undefined }
  strategicPatch: DeepStrategicPatch<Rest<T> & { metadata?: ObjectMetaInput | undefined }>
  fields: F
  scope: S
}

/**
 * The types of a review, such as a TokenReview: a client creates it, the server answers in its status and never
 * stores it, so it needs no name and is neither read nor applied.
 */
export interface Review<T extends object, S extends Scope, O extends Typed> extends KindTypes {
  read: ReadNative<T, O, ObjectMetaInput>
  object: O
  create: DeepInput<Rest<T, 'status'>> & {
    apiVersion?: string | undefined
    kind?: string | undefined
    metadata: DeepInput<ObjectMetaInput> & (S extends 'Namespaced' ? { namespace: string } : unknown)
  }
  apply: never
  status: never
  mergePatch: never
  strategicPatch: never
  fields: never
  scope: S
}

/** The properties of a native kind besides its names. */
interface NativeKindExtras {
  readonly shortNames?: readonly string[] | undefined
  readonly categories?: readonly string[] | undefined
  /** Whether it has a status subresource. Default: false. */
  readonly status?: boolean | undefined
  readonly scale?: ScaleSubresource | undefined
}

/** A kind that every Kubernetes serves. It carries no schema: the server knows it. */
export function nativeKind<T extends KindTypes>(
  group: string,
  version: string,
  kind: string,
  plural: string,
  scope: T['scope'],
  extras: NativeKindExtras = {},
): Kind<T> {
  return {
    group,
    version,
    kind,
    plural,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    scope,
    shortNames: extras.shortNames ?? [],
    categories: extras.categories ?? [],
    columns: [],
    subresources: { status: extras.status ?? false, scale: extras.scale },
  }
}
