import {
  HomeostatError,
  type AnyKind,
  type KeyOf,
  type KubernetesObject,
  type ObjectKey,
  type ObjectOf,
} from '@homeostat/api'
import {
  type Client,
  type CacheWait,
  type ClientCache,
  createClient,
  type ListOptions,
  type RequestOptions,
} from '../client/index.ts'
import { checkKey, collectionPath, isMetadataOnly, resourceName } from '../requests/index.ts'
import { type Logger, silentLogger } from '../telemetry/index.ts'
import { cacheMetrics } from './cache-metrics.ts'
import type { Cache } from './informer.ts'
import { KindInformer } from './kind-informer.ts'
import type { KindCacheOptions } from './kind-options.ts'
import type { IndexFunction } from './object-index.ts'
import { fieldRequirements, isKnownField, selectionTest } from './selection-test.ts'
import { checkCacheOptions, INFORMER_CACHE, type InformerCacheOptions } from './cache-options.ts'

/** The time after which an informer without listeners and reads is removed. */
const UNUSED_MILLISECONDS = 600_000

/**
 * The informers of one cluster, one for each kind, created when they are first needed. As the cache of a client it
 * reads from them, waits for their first list, and takes in the client's own writes. Kinds that it does not keep
 * are read from the server.
 */
export class InformerCache implements Cache, ClientCache, AsyncDisposable {
  readonly #options: InformerCacheOptions
  readonly #log: Logger
  readonly #live: Client
  readonly #informers = new Map<string, KindInformer<any>>()
  readonly #kinds = new Map<string, KindCacheOptions>()
  readonly #ending = new Set<Promise<void>>()
  readonly #unused = new Map<string, Disposable>()
  readonly #metrics: Disposable | undefined
  /** The names of the requested kinds, kept so that a read does not build them again. */
  readonly #names = new WeakMap<AnyKind, string>()
  #namespaces: readonly string[] | undefined
  #stopped = false

  constructor(options: InformerCacheOptions) {
    checkCacheOptions(options, INFORMER_CACHE)
    this.#options = options
    this.#namespaces = options.namespaces
    this.#log = options.logger ?? silentLogger
    this.#live = createClient({ transport: options.transport, clock: options.clock, logger: options.logger })
    for (const kind of options.kinds ?? []) this.#kinds.set(this.#nameOf(kind.kind), kind)
    this.#metrics =
      options.metrics && cacheMetrics(options.metrics, () => this.#informers.values(), options.metricLabels)
  }

  informer<K extends AnyKind>(kind: K): KindInformer<K> {
    const name = this.#nameOf(kind)
    const known = this.#informers.get(name)
    if (known) return known
    if (this.#stopped) {
      throw new HomeostatError(
        'CACHE_STOPPED',
        `the cache was stopped: it cannot watch ${resourceName(kind)}. Start a new manager to read again.`,
      )
    }
    const { transport, clock, logger, resyncMilliseconds, transform, firstList, onCallbackFailure } =
      this.#options
    const special: Partial<KindCacheOptions> = this.#kinds.get(name) ?? {}
    const informer = new KindInformer<K>({
      kind,
      transport,
      clock,
      logger,
      resyncMilliseconds,
      firstList,
      onCallbackFailure,
      labels: special.labels,
      fields: special.fields,
      indexes: special.indexes,
      transform: special.transform ?? transform,
      namespaces: special.namespaces ?? this.#namespaces,
      onUnused: () => this.#removeIfUnused(name),
    })
    this.#informers.set(name, informer)
    return informer
  }

  /** The informer of a kind, if there is one already. An informer that keeps only metadata does not count. */
  running<K extends AnyKind>(kind: K): KindInformer<K> | undefined {
    return this.#informers.get(this.#nameOf(kind))
  }

  /**
   * Indexes objects by the values that the function returns for each: find them with `informer.byIndex(name,
   * value)`, and in lists by a field of that name. The index applies to the running informer and to later ones. A
   * name that already has another function is refused with code `CACHE_INDEX_TAKEN`.
   */
  index<K extends AnyKind>(kind: K, name: string, valuesOf: IndexFunction<ObjectOf<K>>): void {
    const known = this.#kinds.get(this.#nameOf(kind))
    const taken = known?.indexes?.[name]
    if (taken === valuesOf) return
    if (taken) {
      throw new HomeostatError(
        'CACHE_INDEX_TAKEN',
        `${resourceName(kind)} already have an index ${JSON.stringify(name)} with another function: rename one of the two, or use the same function for both.`,
      )
    }
    this.#setKind(kind, { indexes: { ...known?.indexes, [name]: valuesOf } })
    const informer: KindInformer<K> | undefined = this.#informers.get(this.#nameOf(kind))
    informer?.addIndex(name, valuesOf)
  }

  /**
   * From now on keeps only the objects of these namespaces, or of all namespaces if `undefined`: for one kind, or for
   * every kind without its own namespaces. Listeners get the objects of added namespaces; they get no events for
   * namespaces that are removed.
   */
  setNamespaces(namespaces: readonly string[] | undefined, kind?: AnyKind): void {
    if (kind) {
      this.#setKind(kind, { namespaces })
      this.#informers.get(this.#nameOf(kind))?.setNamespaces(namespaces ?? this.#namespaces)
      return
    }
    this.#namespaces = namespaces
    for (const [name, informer] of this.#informers) {
      if (!this.#kinds.get(name)?.namespaces) informer.setNamespaces(namespaces)
    }
  }

  /**
   * Ends the kind's watch and drops its objects; its listeners get no further event. A later read of the kind
   * starts a new watch. Resolves when nothing of it is left; false when there was none.
   */
  async remove(kind: AnyKind): Promise<boolean> {
    return this.#remove(this.#nameOf(kind))
  }

  async get<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    options: RequestOptions & CacheWait = {},
  ): Promise<ObjectOf<K> | undefined> {
    checkKey(kind, key)
    if (!this.#keeps(kind, key.namespace)) return this.#live.get(kind, key, { signal: options.signal })
    const known = this.#known(kind, key.namespace, options)
    return (known ?? (await this.#readable(kind, key.namespace, options))).get(key)
  }

  async list<K extends AnyKind>(
    kind: K,
    { waiting, ...options }: ListOptions & CacheWait = {},
  ): Promise<readonly ObjectOf<K>[]> {
    collectionPath(kind, options.namespace)
    const { namespace, labels, signal } = options
    if (!this.#keeps(kind, namespace)) return this.#live.list(kind, options)
    const { index, fields } = this.#fields(kind, options)
    const informer =
      this.#known(kind, namespace, options) ?? (await this.#readable(kind, namespace, { signal, waiting }))
    const objects = index
      ? informer.byIndex(index.field, index.value, { namespace })
      : informer.list({ namespace })
    if (!labels && !fields) return objects
    const matches = selectionTest({ labels, fields })
    return objects.filter((object) => matches(object))
  }

  peek(kind: AnyKind, key: ObjectKey): KubernetesObject | undefined {
    const informer: KindInformer | undefined = this.#informers.get(this.#nameOf(kind))
    return informer?.get(key)
  }

  keepsMetadataOnly(kind: AnyKind): boolean {
    const name = resourceText(kind)
    return !this.#informers.has(name) && this.#informers.has(`${name}${METADATA}`)
  }

  keeps(kind: AnyKind): boolean {
    return !this.#informersOf(kind).next().done
  }

  observeWrite(kind: AnyKind, object: KubernetesObject): void {
    for (const informer of this.#informersOf(kind)) informer.observeWrite(object)
  }

  observeDelete(kind: AnyKind, key: ObjectKey, uid: string | undefined): void {
    for (const informer of this.#informersOf(kind)) informer.observeDelete(key, uid)
  }

  /** Ends all watches. Reads reject from then on. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#metrics?.[Symbol.dispose]()
    for (const timer of this.#unused.values()) timer[Symbol.dispose]()
    await Promise.all([...[...this.#informers.values()].map((informer) => informer.stop()), ...this.#ending])
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** The name under which a kind's informer is kept. */
  #nameOf(kind: AnyKind): string {
    let name = this.#names.get(kind)
    if (name === undefined) {
      name = `${resourceText(kind)}${isMetadataOnly(kind) ? METADATA : ''}`
      this.#names.set(kind, name)
    }
    return name
  }

  #setKind(kind: AnyKind, options: Partial<KindCacheOptions>): void {
    const name = this.#nameOf(kind)
    this.#kinds.set(name, { ...this.#kinds.get(name), ...options, kind })
  }

  /** Whether the cache answers reads of the kind in a namespace, or in all. */
  #keeps(kind: AnyKind, namespace: string | undefined): boolean {
    const special = this.#kinds.get(this.#nameOf(kind))
    if (this.#stopped) return true // The read then fails with the reason.
    if (special?.readLive) return false
    const namespaces = special?.namespaces ?? this.#namespaces
    if (!namespaces || kind.scope === 'Cluster' || !namespace) return true
    return namespaces.includes(namespace) || namespaces.includes('')
  }

  /** The full informer and that of the metadata: a write concerns both. */
  *#informersOf(kind: AnyKind): Generator<KindInformer<any>> {
    const name = resourceText(kind)
    for (const key of [name, `${name}${METADATA}`]) {
      const informer = this.#informers.get(key)
      if (informer) yield informer
    }
  }

  /** The field requirements of a list: at most one uses an index, the others use fields that every object has. */
  #fields(kind: AnyKind, { fields }: ListOptions) {
    const indexes = this.#kinds.get(this.#nameOf(kind))?.indexes ?? {}
    const requirements = fieldRequirements(fields)
    const index = requirements.find(
      ({ field, operator }) => !isKnownField(field) && field in indexes && operator === '=',
    )
    const unknown = requirements.find(
      (requirement) => requirement !== index && !isKnownField(requirement.field),
    )
    if (unknown) {
      throw new HomeostatError(
        'CACHE_FIELD_UNKNOWN',
        `a cache cannot list ${resourceName(kind)} by the field ${unknown.field}: it knows metadata.name, metadata.namespace and at most one index at a time. Declare one with .indexes(${kind.kind}, { ${propertyName(unknown.field)}: … }) of the controller, or with cache.index. Without an index, list all and filter, or list with a client that has no cache.`,
      )
    }
    const rest = requirements.filter((requirement) => requirement !== index)
    return {
      index,
      fields:
        rest.length === 0
          ? undefined
          : rest.map(({ field, operator, value }) => `${field}${operator}${value}`).join(','),
    }
  }

  /** The kind's informer, if it can answer a read at once. */
  #known<K extends AnyKind>(
    kind: K,
    namespace: string | undefined,
    options: RequestOptions,
  ): KindInformer<K> | undefined {
    const known: KindInformer<K> | undefined = this.#informers.get(this.#nameOf(kind))
    if (!known?.isReadable(namespace)) return undefined
    options.signal?.throwIfAborted()
    return known
  }

  async #readable<K extends AnyKind>(
    kind: K,
    namespace: string | undefined,
    { signal, waiting }: RequestOptions & CacheWait,
  ): Promise<KindInformer<K>> {
    if (!this.#informers.has(this.#nameOf(kind)) && !this.#stopped) this.#readWithoutInformer(kind)
    const informer = this.informer(kind)
    using _ = waiting?.pause()
    await informer.whenReadable({ signal, namespace })
    return informer
  }

  #readWithoutInformer(kind: AnyKind): void {
    const resource = resourceName(kind)
    const namespaces = this.#kinds.get(this.#nameOf(kind))?.namespaces ?? this.#namespaces
    const rule = { apiGroups: [kind.group], resources: [kind.plural], verbs: ['get', 'list', 'watch'] }
    if (this.#options.missingInformer === 'fail') {
      throw new HomeostatError(
        'CACHE_INFORMER_MISSING',
        `nothing watches ${resource}, and the option missingInformer: 'fail' keeps a read from starting a watch. Let a controller watch the kind, call cache.informer(${kind.kind}) at the start, or send its reads to the server with readLive.`,
      )
    }
    this.#log.warn(
      {
        finding: 'INFORMER_STARTED_BY_READ',
        resource,
        rule,
        ...(kind.scope === 'Namespaced' && namespaces && { namespaces }),
      },
      `a read of ${resource} starts a watch: the cache keeps a copy of every object in memory, and this process needs a role with this rule. To read them from the server instead, set readLive for the kind in the cache's options`,
    )
  }

  #removeIfUnused(name: string): void {
    const { clock } = this.#options
    this.#unused.get(name)?.[Symbol.dispose]()
    const since = clock.monotonic()
    const look = (wait: number): void => {
      this.#unused.set(
        name,
        clock.schedule(wait, () => {
          this.#unused.delete(name)
          const informer = this.#informers.get(name)
          if (!informer || informer.listened) return
          const left = Math.max(informer.lastRead, since) + UNUSED_MILLISECONDS - clock.monotonic()
          if (left > 0) look(left)
          else void this.#remove(name)
        }),
      )
    }
    if (!this.#stopped) look(UNUSED_MILLISECONDS)
  }

  async #remove(name: string): Promise<boolean> {
    const informer = this.#informers.get(name)
    if (!informer) return false
    this.#informers.delete(name)
    this.#unused.get(name)?.[Symbol.dispose]()
    this.#unused.delete(name)
    this.#log.debug({ resource: resourceName(informer.kind) }, 'an informer was removed')
    const ending = informer.stop().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
    await ending
    return true
  }
}

/** A name as an object literal writes it. */
function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

const METADATA = ' (metadata)'

function resourceText(kind: AnyKind): string {
  return `${kind.group}/${kind.version}/${kind.plural}`
}
