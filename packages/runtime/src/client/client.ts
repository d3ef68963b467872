import type {
  AnyKind,
  ApplyOf,
  CreateOf,
  DeepReadonly,
  KeyOf,
  MutableOf,
  ObjectOf,
  StatusOf,
} from '@homeostat/api'

/** Options of every request. */
export interface RequestOptions {
  signal?: AbortSignal | undefined
}

export interface ListOptions extends RequestOptions {
  /** One namespace; all of them where it is left out. */
  namespace?: string | undefined
  /** `{ app: 'web' }`, or the selector syntax: `app in (web, api), !canary`. */
  labels?: Readonly<Record<string, string>> | string | undefined
  /** `{ 'metadata.name': 'x' }`, or the selector syntax. */
  fields?: Readonly<Record<string, string>> | string | undefined
}

export interface WriteOptions extends RequestOptions {
  /** Asks the server to do everything but store it. Default: false. */
  dryRun?: boolean | undefined
  /** Who writes, in managed fields. Default: the client's own, which in a controller is its name. */
  fieldManager?: string | undefined
}

export interface ApplyOptions extends WriteOptions {
  /** Takes fields from other managers rather than fail with a conflict. Default: false. */
  force?: boolean | undefined
}

export interface DeleteOptions extends RequestOptions {
  /** What happens to the objects that this one owns. Default: the server's, `Background` for most kinds. */
  propagation?: 'Background' | 'Foreground' | 'Orphan' | undefined
  gracePeriodSeconds?: number | undefined
  /** Delete only this very object: its uid, its resourceVersion, or both. */
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined
  dryRun?: boolean | undefined
}

/** A patch in one of the API's forms. `mergeFrom(before, after)` computes a merge patch. */
export type Patch =
  | { readonly type: 'merge'; readonly body: object }
  | { readonly type: 'json'; readonly body: readonly object[] }
  | { readonly type: 'strategic'; readonly body: object }

/**
 * Reads objects. From a server it is as fresh as the server; from a cache it may be behind it, but not
 * behind this process's own writes.
 */
export interface Reader {
  /**
   * The object, or `undefined` when the server (or a synced cache) knows the kind and has no such
   * object. Anything else that prevents an answer throws: an unknown kind, no permission, no server.
   */
  get<K extends AnyKind>(kind: K, key: KeyOf<K>, options?: RequestOptions): Promise<ObjectOf<K> | undefined>
  /** The object; an `ApiError` with reason `NotFound` when there is none. */
  getOrThrow<K extends AnyKind>(kind: K, key: KeyOf<K>, options?: RequestOptions): Promise<ObjectOf<K>>
  /** All objects that the options select, in the server's order. */
  list<K extends AnyKind>(kind: K, options?: ListOptions): Promise<readonly ObjectOf<K>[]>
}

/** Writes objects. What comes back is the object as the server stored it. */
export interface Writer {
  create<K extends AnyKind>(kind: K, object: CreateOf<K>, options?: WriteOptions): Promise<ObjectOf<K>>
  /** Replaces the object. With a `metadata.resourceVersion` it fails with a conflict if the object has changed since. */
  update<K extends AnyKind>(
    kind: K,
    object: MutableOf<K> | DeepReadonly<MutableOf<K>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>
  patch<K extends AnyKind>(kind: K, key: KeyOf<K>, patch: Patch, options?: WriteOptions): Promise<ObjectOf<K>>
  /**
   * Server-side apply: the fields given become what they say and belong to this manager; fields that it
   * applied before and no longer gives are removed. Sends nothing when the object as last read, and its
   * managed fields, already hold exactly this.
   */
  apply<K extends AnyKind>(kind: K, object: ApplyOf<K>, options?: ApplyOptions): Promise<ObjectOf<K>>
  /** Deletes the object. One that is already gone is no failure: it answers whether there was one. */
  delete<K extends AnyKind>(kind: K, key: KeyOf<K>, options?: DeleteOptions): Promise<boolean>
  deleteAllOf(kind: AnyKind, options?: ListOptions & DeleteOptions): Promise<void>
}

/** Writes the status subresource, and nothing else of the object. */
export interface StatusWriter {
  update<K extends AnyKind>(
    kind: K,
    object: MutableOf<K> | DeepReadonly<MutableOf<K>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>
  patch<K extends AnyKind>(kind: K, key: KeyOf<K>, patch: Patch, options?: WriteOptions): Promise<ObjectOf<K>>
  /** Server-side apply of the status alone; like `apply`, it sends nothing when nothing differs. */
  apply<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    status: StatusOf<K>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<K>>
}

/** Reads and writes one cluster as one user and one field manager. */
export interface Client extends Reader, Writer {
  readonly status: StatusWriter
}
