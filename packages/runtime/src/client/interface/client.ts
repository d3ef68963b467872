import type {
  AnyKind,
  ApplyOf,
  CreateOf,
  DeepReadonly,
  JsonPatchOperation,
  KeyOf,
  Kind,
  MergePatchOf,
  MutableOf,
  ObjectMeta,
  ObjectOf,
  SelectableFieldOf,
  StatusOf,
  StrategicPatchOf,
} from '@homeostat/api'

/** Options of every request. */
export interface RequestOptions {
  signal?: AbortSignal | undefined
}

/** Which objects to list. `F` names the fields that they can be selected by. */
export interface ListOptions<F extends string = string> extends RequestOptions {
  /** One namespace. Default: all namespaces. */
  namespace?: string | undefined
  /**
   * The compiler refuses it: a list cannot select by name. An object's key, given by mistake, would otherwise select
   * all objects of its namespace.
   */
  name?: NoName | undefined
  /** `{ app: 'web' }`, or the selector syntax: `app in (web, api), !canary`. */
  labels?: Readonly<Record<string, string>> | string | undefined
  /** `{ 'metadata.name': 'x' }`, or the selector syntax, whose names are checked at run time only. */
  fields?: FieldValues<F> | string | undefined
}

/** The compiler's message where a name is given to a list. */
type NoName = 'a list cannot select by name: use get for one object, or fields: { "metadata.name": … }'

/** Fields, and the value that each must have. */
export type FieldValues<F extends string> = { readonly [Name in F]?: string }

/** {@link ListOptions} of a client that reads from a cache. */
export interface CacheListOptions<F extends string> extends Omit<ListOptions<F>, 'fields'> {
  /** `{ 'metadata.name': 'x' }` or `{ owner: 'x' }` with an index `owner`, or the selector syntax. */
  fields?: CacheFieldValues<F, MissingIndex> | string | undefined
}

/** {@link FieldValues} of a cache. The compiler prints `Remedy` in its message about a field that is not among them. */
export type CacheFieldValues<F extends string, _Remedy extends string> = { readonly [Name in F]?: string }

/** The compiler's message about a field that a cache has no index of. */
type MissingIndex = 'another field needs an index: call .indexes(…) before .watches(…) and .reconcile(…)'

export interface PagesOptions<F extends string = string> extends ListOptions<F> {
  /** How many objects a page has at most. Default: 500. */
  limit?: number | undefined
}

export interface WriteOptions extends RequestOptions {
  /** Asks the server to process the write without storing it. Default: false. */
  dryRun?: boolean | undefined
  /** The field manager of the write. Default: the client's, which in a controller is the controller's name. */
  fieldManager?: string | undefined
  /**
   * How the server treats fields that it does not know, or that occur twice. Default: the server's default, `Warn`:
   * they are dropped, and the warning is logged.
   */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined
}

export interface ApplyOptions extends WriteOptions {
  /**
   * Whether to take over fields that another manager has set to other values. With `false` the apply fails with a
   * conflict instead, which `isApplyConflict` recognizes. Default: true, so that a reconcile heals changes by
   * others.
   */
  force?: boolean | undefined
}

export interface DeleteOptions extends RequestOptions {
  /** How the objects that this one owns are deleted. Default: the server's default, `Background` for most kinds. */
  propagation?: 'Background' | 'Foreground' | 'Orphan' | undefined
  gracePeriodSeconds?: number | undefined
  /** Deletes the object only if it has this uid, this resourceVersion, or both. */
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined
  dryRun?: boolean | undefined
}

/** The API's forms of a patch. */
export type PatchType = 'merge' | 'json' | 'strategic'

/**
 * A patch in one of the API's forms. `mergeFrom(before, after)` computes a merge patch.
 *
 * - `merge`: fields that are set, and fields that null removes. A list replaces the whole list.
 * - `json`: a list of operations in order. Either all of them take effect or none.
 * - `strategic`: like `merge`, but items of lists are merged by their keys. Servers accept it for native kinds only.
 */
export interface Patch<K extends AnyKind = AnyKind, T extends PatchType = PatchType> {
  readonly type: T
  readonly body: PatchBody<K, T>
}

/** The body of a patch of the given form. */
export type PatchBody<K extends AnyKind, T extends PatchType> = T extends 'merge'
  ? MergePatchOf<K>
  : T extends 'json'
    ? readonly JsonPatchOperation[]
    : StrategicPatchOf<K>

/** An index of a cache: the kind whose objects it finds, and its name. */
export interface IndexOf<K extends AnyKind = AnyKind, Name extends string = string> {
  readonly kind: K
  readonly name: Name
}

/** Marks a reader whose lists a cache filters: by name and namespace, which every server can do too, and by its indexes. */
export type CacheFields = 'cache'

/** Marks a reader whose lists the server filters. */
export type ServerFields = 'server' | CacheFields

/** The fields that a list of a kind may name: what the server selects by, or the names of a cache's indexes. */
export type ListedField<K extends AnyKind, I> = 'server' extends I
  ? SelectableFieldOf<K>
  : Extract<SelectableFieldOf<K>, `metadata.${string}`> | IndexName<K, I>

type ListOptionsOf<K extends AnyKind, I> = 'server' extends I
  ? ListOptions<ListedField<K, I>>
  : CacheListOptions<ListedField<K, I>>

/**
 * Carries the fields that a reader selects by. A reader that selects by more fields can be used where one that selects
 * by fewer is expected.
 */
interface SelectableBy<in I> {
  readonly fields?: (fields: I) => void
}

type IndexName<K extends AnyKind, I> =
  I extends IndexOf<infer Indexed, infer Name> ? (K extends Indexed ? Name : never) : never

/**
 * Reads objects. A reader of the server returns the current objects. A reader of a cache may return older ones, but
 * never older ones than this process itself wrote. `I` is the type of the fields that lists can select by: those of
 * the server, or those of a cache with its indexes. A plain `Reader` may be either, so it selects by what both can.
 */
export interface Reader<I = CacheFields> {
  /**
   * The object, or `undefined` when the server (or a synced cache) knows the kind and has no such object. Any other
   * failure throws: an unknown kind, a missing permission, a server that cannot be reached.
   */
  get<K extends AnyKind>(kind: K, key: KeyOf<K>, options?: RequestOptions): Promise<ObjectOf<K> | undefined>
  /** The object. Throws an `ApiError` with reason `NotFound` if it does not exist. */
  getOrThrow<K extends AnyKind>(kind: K, key: KeyOf<K>, options?: RequestOptions): Promise<ObjectOf<K>>
  /** All objects that the options select, in the server's order. */
  list<K extends AnyKind>(kind: K, options?: ListOptionsOf<K, I>): Promise<readonly ObjectOf<K>[]>
  /**
   * Never present at run time: it keeps the compiler from accepting a reader where one that selects by more fields is
   * expected.
   */
  readonly fields?: SelectableBy<I>
}

/** Writes objects. The methods return the object as the server stored it. */
export interface Writer {
  create<K extends AnyKind>(kind: K, object: CreateOf<K>, options?: WriteOptions): Promise<ObjectOf<K>>
  /** Replaces the object. With a `metadata.resourceVersion` it fails with a conflict if the object has changed since. */
  update<K extends AnyKind>(
    kind: K,
    object: MutableOf<K> | DeepReadonly<MutableOf<K>>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>
  patch<K extends AnyKind, T extends PatchType>(
    kind: K,
    key: KeyOf<K>,
    patch: Patch<K, T>,
    options?: WriteOptions,
  ): Promise<ObjectOf<K>>
  /**
   * Server-side apply: sets the given fields and makes this manager their owner, even if another manager had set
   * them; fields that it applied before and now leaves out are removed. Leave out fields that other managers should
   * set. Sends nothing if the object, as last read, already has these values, and this manager owns these fields and no
   * others.
   */
  apply<K extends AnyKind>(kind: K, object: ApplyOf<K>, options?: ApplyOptions): Promise<ObjectOf<K>>
  /** Deletes the object. Returns whether it existed: it is not a failure if the object is already gone. */
  delete<K extends AnyKind>(kind: K, key: KeyOf<K>, options?: DeleteOptions): Promise<boolean>
  deleteAllOf<K extends AnyKind>(
    kind: K,
    options?: ListOptions<SelectableFieldOf<K>> & DeleteOptions,
  ): Promise<void>
}

/** Writes the status subresource, and nothing else of the object. */
export interface StatusWriter extends Pick<Writer, 'update' | 'patch'> {
  /** Server-side apply of the status alone; like `apply`, it sends nothing when nothing differs. */
  apply<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    status: StatusOf<K>,
    options?: ApplyOptions,
  ): Promise<ObjectOf<K>>
}

/** How many replicas an object of any kind has: the `scale` subresource, as `autoscaling/v1` defines it. */
export interface Scale {
  apiVersion: string
  kind: 'Scale'
  metadata: ObjectMeta
  spec?: { replicas?: number | undefined } | undefined
  status?: { replicas: number; selector?: string | undefined } | undefined
}

/** Reads and writes how many replicas an object has, and nothing else of it. */
export interface ScaleClient {
  /** From the server. `undefined` when there is no such object. */
  get<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    options?: RequestOptions,
  ): Promise<DeepReadonly<Scale> | undefined>
  /** Replaces the scale. With a `metadata.resourceVersion` it fails with a conflict if the object has changed since. */
  update(
    kind: AnyKind,
    scale: Scale | DeepReadonly<Scale>,
    options?: WriteOptions,
  ): Promise<DeepReadonly<Scale>>
  /**
   * Server-side apply of the number alone. Like `apply`, it writes nothing when nothing differs. Kubernetes accepts
   * it for native kinds only; apply a custom kind's number with its spec, or replace it with `update`.
   */
  apply<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    spec: { replicas: number },
    options?: ApplyOptions,
  ): Promise<DeepReadonly<Scale>>
}

/** The answer of a subresource: an object with its `apiVersion` and `kind`. */
export type SubresourceAnswer = { readonly apiVersion: string; readonly kind: string } & Readonly<
  Record<string, unknown>
>

/**
 * Reads and writes one subresource of any kind. Bodies carry their `apiVersion` and `kind`; the name of the object is
 * filled in.
 */
export interface SubresourceClient {
  /** From the server. `undefined` when there is no such object. */
  get<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    options?: RequestOptions,
  ): Promise<SubresourceAnswer | undefined>
  create<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    body: object,
    options?: WriteOptions,
  ): Promise<SubresourceAnswer>
  update<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    body: object,
    options?: WriteOptions,
  ): Promise<SubresourceAnswer>
  patch<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<SubresourceAnswer>
}

/** A kind that a server serves, and what can be done with its objects (`get`, `list`, `watch` …). */
export interface ServedKind {
  readonly kind: Kind
  readonly verbs: readonly string[]
}

/** Finds a served kind by its name, for kinds that are known only at run time. */
export interface KindFinder {
  /**
   * The kind, or `undefined` if the server does not serve it. Each call for a kind that is not served asks the server
   * again, and finds a new CustomResourceDefinition as soon as it is served.
   */
  find(apiVersion: string, kind: string, options?: RequestOptions): Promise<Kind | undefined>
  /** All kinds in all versions, with the preferred version of each group first. */
  list(options?: RequestOptions): Promise<readonly ServedKind[]>
}

/**
 * Reads and writes one cluster as one user and one field manager. `I` is the type of the fields that its lists can
 * select by. A plain `Client` may read from a cache or from the server, so that a helper which takes one accepts all;
 * `Client<ServerFields>` lists by what the server can select by.
 */
export interface Client<I = CacheFields> extends Reader<I>, Writer {
  readonly status: StatusWriter
  readonly scale: ScaleClient
  /** A subresource by its name, such as `binding` or `eviction` of Pods. */
  subresource(name: string): SubresourceClient
  /**
   * Reads from the server, even if this client reads from a cache: for decisions that must not depend on a stale
   * copy, especially that an object does not exist.
   */
  readonly live: Reader<ServerFields>
  /**
   * Reads a large collection from the server page by page, with only one page in memory at a time. All pages show
   * the same point in time; if it expires before the last page (after some minutes), an error is thrown that
   * `isExpired` recognizes.
   */
  pages<K extends AnyKind>(
    kind: K,
    options?: PagesOptions<SelectableFieldOf<K>>,
  ): AsyncIterable<readonly ObjectOf<K>[]>
  readonly kinds: KindFinder
}
