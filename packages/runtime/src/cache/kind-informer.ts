import {
  apiVersionOf,
  formatKey,
  HomeostatError,
  type AnyKind,
  type Clock,
  type KubernetesObject,
  type ObjectKey,
  type ObjectOf,
  type Timer,
} from '@homeostat/api'
import { resourceName } from '../requests/index.ts'
import {
  type CallbackFailure,
  type CallbackFailureListener,
  type Logger,
  silentLogger,
  tellCallbackFailure,
} from '../telemetry/index.ts'
import type { Transport } from '../transport/index.ts'
import { ObjectReader, ServedObject } from '../json/index.ts'
import { compareVersions, type FirstList } from '../watch/index.ts'
import type { Informer, ObjectEvent } from './informer.ts'
import { KindFeed, type ObjectDelta } from './kind-feed.ts'
import type { KindCacheOptions } from './kind-options.ts'
import { isMetadataOnly } from './metadata-only.ts'
import { LazyEvent } from './object-event.ts'
import { ObjectIndex, type IndexFunction } from './object-index.ts'
import { ObjectStore } from './object-store.ts'
import { OwnWrites } from './own-writes.ts'
import { ParsedObjects } from './parsed-objects.ts'
import { selectionTest } from './selection-test.ts'
import { transformed } from './transformed.ts'

export interface KindInformerOptions<K extends AnyKind> extends Omit<KindCacheOptions, 'readLive'> {
  readonly kind: K
  readonly transport: Transport
  readonly clock: Clock
  readonly logger?: Logger | undefined
  /** How all objects are asked for at first. Default: `'list'`. */
  readonly firstList?: FirstList | undefined
  /** How often every object is told again, in milliseconds, give or take a tenth. Default: 10 hours. */
  readonly resyncMilliseconds?: number | undefined
  /** Told of index functions and transforms that threw. Default: nothing is. */
  readonly onCallbackFailure?: CallbackFailureListener | undefined
  /** Called when the last listener has left. */
  readonly onUnused?: (() => void) | undefined
}

const RESYNC_MILLISECONDS = 36_000_000

type Listener<K extends AnyKind> = (event: ObjectEvent<K>) => void

/**
 * Keeps the copy of one kind's objects by watches that it runs from its making until it is stopped: one
 * for all namespaces, or one for each. Listeners are told by the watches alone; reads also know this
 * process's own writes.
 */
export class KindInformer<K extends AnyKind = AnyKind> implements Informer<K> {
  readonly kind: K
  readonly #options: KindInformerOptions<K>
  readonly #log: Logger
  readonly #store = new ObjectStore()
  readonly #parsed: ParsedObjects
  readonly #ownWrites: OwnWrites
  readonly #indexes = new Map<string, ObjectIndex>()
  readonly #feeds = new Map<string, KindFeed>()
  readonly #ending = new Set<Promise<void>>()
  readonly #listeners = new Set<Listener<K>>()
  readonly #waiting = new Set<() => void>()
  readonly #reader = new ObjectReader()
  readonly #selects: (object: KubernetesObject) => boolean
  #stopped: HomeostatError | undefined
  #resync: Timer | undefined
  #lastRead: number

  constructor(options: KindInformerOptions<K>) {
    this.kind = options.kind
    this.#options = options
    this.#log = options.logger ?? silentLogger
    this.#lastRead = options.clock.monotonic()
    this.#ownWrites = new OwnWrites(this.#store, options.clock)
    this.#selects = selectionTest(options)
    const [apiVersion, kind] = [apiVersionOf(this.kind), this.kind.kind]
    this.#parsed = new ParsedObjects(
      this.#store,
      isMetadataOnly(this.kind) ? ({ metadata }) => ({ apiVersion, kind, metadata }) : undefined,
    )
    for (const [name, valuesOf] of Object.entries(options.indexes ?? {})) this.addIndex(name, valuesOf)
    this.setNamespaces(options.namespaces)
  }

  /** Whether the first lists of all namespaces that it watches are complete. */
  get synced(): boolean {
    return [...this.#feeds.values()].every((feed) => feed.synced)
  }

  get problem(): Error | undefined {
    return [...this.#feeds.values()].find((feed) => feed.problem)?.problem
  }

  /** How many objects it keeps. */
  get size(): number {
    return this.#store.size
  }

  /** How long the JSON text of the objects is that it keeps. */
  get length(): number {
    return this.#store.length
  }

  /** Whether anyone listens. */
  get listened(): boolean {
    return this.#listeners.size > 0
  }

  /** When an object was last read, in the clock's monotonic milliseconds. */
  get lastRead(): number {
    return this.#lastRead
  }

  /** Whether it watches this namespace; without one, whether it watches all. */
  watches(namespace?: string): boolean {
    return this.#feeds.has('') || (namespace !== undefined && this.#feeds.has(namespace))
  }

  /**
   * From now on it watches these namespaces, or all of them. Of a namespace that is given up nothing is
   * told: its objects are not gone, they are only no longer looked at.
   */
  setNamespaces(namespaces: readonly string[] | undefined): void {
    if (this.#stopped) throw this.#stopped
    const wanted = new Set(this.kind.scope === 'Cluster' ? [''] : (namespaces ?? ['']))
    for (const [namespace, feed] of this.#feeds) {
      if (wanted.has(namespace)) continue
      this.#feeds.delete(namespace)
      this.#end(feed)
      // What all namespaces showed stays until the feeds of those that are kept have listed them.
      for (const object of Array.from(this.#store.values(namespace))) {
        if (!wanted.has('') && !wanted.has(object.namespace)) this.#drop(object)
      }
      if (namespace !== '') this.#ownWrites.forget(namespace)
    }
    for (const namespace of wanted) {
      if (!this.#feeds.has(namespace)) this.#feeds.set(namespace, this.#feed(namespace))
    }
    this.#wake()
  }

  /** Lets objects be found by the values that the function gives for each. The same name again replaces it. */
  addIndex(name: string, valuesOf: IndexFunction<ObjectOf<K>>): void {
    const index = new ObjectIndex((object) => {
      try {
        const values = valuesOf(this.#read(object))
        return typeof values === 'string' ? [values] : (values ?? [])
      } catch (error) {
        this.#log.error(
          { error, index: name, object: formatKey(object) },
          'an index function threw; the object is not in this index',
        )
        this.#callbackFailed(object, { callback: 'index', index: name, error })
        return []
      }
    })
    for (const object of this.#store.values()) index.add(object)
    this.#indexes.set(name, index)
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(name)
  }

  get(key: ObjectKey): ObjectOf<K> | undefined {
    this.#lastRead = this.#options.clock.monotonic()
    const object = this.#ownWrites.get(key)
    return object && this.#read(object)
  }

  list(options: { namespace?: string | undefined } = {}): readonly ObjectOf<K>[] {
    this.#lastRead = this.#options.clock.monotonic()
    return this.#ownWrites.list(options.namespace).map((object) => this.#read(object))
  }

  /** The objects that the index has under the value, in the order of a list. */
  byIndex(
    name: string,
    value: string,
    options: { namespace?: string | undefined } = {},
  ): readonly ObjectOf<K>[] {
    this.#lastRead = this.#options.clock.monotonic()
    const index = this.#indexes.get(name)
    if (!index) {
      throw new HomeostatError(
        'CACHE_INDEX_UNKNOWN',
        `the cache of ${resourceName(this.kind)} has no index ${JSON.stringify(name)}. Add it with cache.index(${this.kind.kind}, ${JSON.stringify(name)}, …) before it is used.`,
      )
    }
    const { namespace } = options
    const inNamespace = (object: ServedObject): boolean => !namespace || object.namespace === namespace
    return this.#ownWrites
      .over(index.get(value), (object) => index.matches(object, value))
      .filter(inNamespace)
      .map((object) => this.#read(object))
  }

  /**
   * What is there already is told before this returns; what the listener throws is logged, and keeps
   * nothing from the others.
   */
  listen(listener: Listener<K>): Disposable {
    this.#listeners.add(listener)
    for (const object of this.#store.list()) {
      this.#tell(listener, this.#event('added', object, { initial: true }))
    }
    return {
      [Symbol.dispose]: () => {
        if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#options.onUnused?.()
      },
    }
  }

  async whenSynced(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.#until(() => this.synced, options.signal)
  }

  /**
   * Resolves when the copy can be read, of one namespace or of all that it watches; rejects when that will
   * not come about by waiting: the server does not serve the kind, or does not let this user watch it.
   */
  async whenReadable(
    options: { signal?: AbortSignal | undefined; namespace?: string | undefined } = {},
  ): Promise<void> {
    const { namespace, signal } = options
    await this.#until(() => {
      const one = namespace ? (this.#feeds.get(namespace) ?? this.#feeds.get('')) : undefined
      const feeds = one ? [one] : [...this.#feeds.values()]
      return feeds.filter((feed) => !feed.readable()).length === 0
    }, signal)
  }

  /** Whether a read of a namespace, or of all, can be answered at once; where not, `whenReadable` says why. */
  isReadable(namespace?: string): boolean {
    if (this.#stopped) return false
    const one = this.#feeds.get('') ?? (namespace ? this.#feeds.get(namespace) : undefined)
    return one
      ? one.isReadable
      : this.#feeds.size > 0 && [...this.#feeds.values()].every((feed) => feed.isReadable)
  }

  /** This came back from a write of this process: from now on reads are not older than it. */
  observeWrite(object: KubernetesObject): void {
    const { namespace = '' } = object.metadata
    const feed = this.#feeds.get(namespace) ?? this.#feeds.get('')
    if (!feed) return
    const kept = this.#transformed(ServedObject.of(object), undefined)
    this.#ownWrites.wrote(kept, feed.version, !this.#selects(object))
  }

  /** This process deleted the object, and it is gone: reads no longer show it. */
  observeDelete(key: ObjectKey, uid: string | undefined): void {
    this.#ownWrites.deleted(key, uid)
  }

  /** Ends the watch and frees everything; whoever waits is told. */
  async stop(): Promise<void> {
    this.#stopped ??= stoppedError(this.kind)
    this.#resync?.cancel()
    this.#listeners.clear()
    for (const feed of this.#feeds.values()) this.#end(feed)
    this.#wake()
    await Promise.all(this.#ending)
    this.#feeds.clear()
    this.#store.clear()
    this.#parsed.clear()
    for (const index of this.#indexes.values()) index.clear()
    this.#ownWrites.clear()
  }

  #feed(namespace: string): KindFeed {
    const { transport, clock, labels, fields } = this.#options
    return new KindFeed({
      kind: this.kind,
      transport,
      clock,
      labels,
      fields,
      namespace,
      firstList: this.#options.firstList,
      logger: this.#log,
      take: (delta, feed) => {
        if (this.#feeds.get(namespace) === feed) this.#take(delta, feed)
      },
      changed: () => {
        if (this.#resync === undefined && !this.#stopped && this.synced) this.#scheduleResync()
        this.#wake()
      },
    })
  }

  #end(feed: KindFeed): void {
    const ending = feed.stop().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  #take(delta: ObjectDelta, feed: KindFeed): void {
    switch (delta.type) {
      case 'listed':
        this.#takeList(delta.objects, feed)
        this.#ownWrites.reached(delta.resourceVersion, feed.namespace)
        return
      case 'bookmark':
        this.#ownWrites.reached(delta.resourceVersion, feed.namespace)
        return
      case 'deleted':
        this.#takeDeletion(delta.object)
        return
      default:
        this.#put(delta.object, false)
        this.#ownWrites.shown(delta.object)
    }
  }

  #takeList(objects: readonly ServedObject[], feed: KindFeed): void {
    const initial = !feed.synced
    if (this.#store.size > 0) this.#dropUnlisted(objects, feed)
    for (const object of objects) this.#put(object, initial)
  }

  #dropUnlisted(objects: readonly ServedObject[], feed: KindFeed): void {
    const listed = new Set(objects.map((object) => object.uid))
    for (const old of Array.from(this.#store.values(feed.namespace))) {
      if (listed.has(old.uid)) continue
      this.#drop(old)
      this.#emit('deleted', old)
    }
  }

  #takeDeletion(object: ServedObject): void {
    const old = this.#store.get(object)
    if (old && (old.uid === object.uid || isNewer(object, old))) {
      this.#drop(old)
      this.#emit('deleted', old.uid === object.uid ? this.#kept(object) : old)
    }
    this.#ownWrites.shownDeleted(object)
  }

  /** A version that is known already, or an older one, is no news. */
  #put(served: ServedObject, initial: boolean): void {
    const old = this.#store.get(served)
    const remade = old !== undefined && old.uid !== served.uid
    if (old && !remade && !isNewer(served, old)) return
    const object = this.#kept(served)
    this.#store.set(object)
    for (const index of this.#indexes.values()) {
      if (old) index.delete(old)
      index.add(object)
    }
    if (remade) this.#emit('deleted', old)
    if (old && !remade) this.#emit('updated', object, { before: old })
    else this.#emit('added', object, { initial })
  }

  #drop(object: ServedObject): void {
    this.#store.delete(object)
    for (const index of this.#indexes.values()) index.delete(object)
  }

  /** The object as it is kept. */
  #kept(object: ServedObject): ServedObject {
    return this.#transformed(object, this.#reader)
  }

  #transformed(object: ServedObject, reader: ObjectReader | undefined): ServedObject {
    const { transform } = this.#options
    if (!transform) return object
    const failed = (error: unknown): void => {
      this.#log.error(
        { error, object: formatKey(object) },
        'a transform of the cache threw; the object is kept as it came',
      )
      this.#callbackFailed(object, { callback: 'transform', error })
    }
    return transformed(object, transform, failed, reader)
  }

  #callbackFailed({ namespace, name }: ServedObject, failure: CallbackFailure): void {
    const object = namespace ? { namespace, name } : { name }
    const { onCallbackFailure } = this.#options
    tellCallbackFailure(onCallbackFailure, { kind: this.kind.kind, object, ...failure }, this.#log)
  }

  #emit(
    type: ObjectEvent['type'],
    object: ServedObject,
    rest?: { before?: ServedObject; initial?: boolean },
  ): void {
    if (this.#listeners.size === 0) return
    const event = this.#event(type, object, rest)
    for (const listener of Array.from(this.#listeners)) this.#tell(listener, event)
  }

  #event(
    type: ObjectEvent['type'],
    object: ServedObject,
    rest?: { before?: ServedObject; initial?: boolean },
  ): ObjectEvent<K> {
    return LazyEvent.of(type, (served) => this.#parsed.get(served), object, rest)
  }

  #tell(listener: Listener<K>, event: ObjectEvent<K>): void {
    try {
      listener(event)
    } catch (error) {
      this.#log.error({ error, event: event.type }, 'a listener of an informer threw')
    }
  }

  #read(object: ServedObject): ObjectOf<K> {
    return this.#parsed.get(object)
  }

  #scheduleResync(): void {
    const { clock, resyncMilliseconds = RESYNC_MILLISECONDS } = this.#options
    this.#resync = clock.schedule(resyncMilliseconds * (0.9 + 0.2 * clock.random()), () => {
      for (const object of this.#store.list()) this.#emit('resync', object)
      this.#scheduleResync()
    })
  }

  /** Resolves when the condition holds; rejects with what it throws, when aborted, and when stopped. */
  async #until(condition: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      if (this.#stopped) throw this.#stopped
      if (condition()) return
      await this.#nextChange(signal)
    }
  }

  #nextChange(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      signal?.addEventListener('abort', done, { once: true })
    })
  }

  #wake(): void {
    for (const done of this.#waiting) done()
  }
}

function isNewer(object: ServedObject, old: ServedObject): boolean {
  return (compareVersions(object.resourceVersion, old.resourceVersion) ?? 1) > 0
}

function stoppedError(kind: AnyKind): HomeostatError {
  return new HomeostatError(
    'CACHE_STOPPED',
    `the cache of ${resourceName(kind)} was stopped. It ends with its manager, or when it is removed: read again with a client of a cache that runs.`,
  )
}
