import {
  apiVersionOf,
  formatKey,
  type AnyKind,
  type Clock,
  type KubernetesObject,
  type ObjectKey,
  type ObjectOf,
  type Timer,
} from '@homeostat/api'
import {
  type CallbackFailure,
  type CallbackFailureListener,
  type Logger,
  silentLogger,
  tellCallbackFailure,
} from '../telemetry/index.ts'
import { isMetadataOnly } from '../requests/index.ts'
import type { Transport } from '../transport/index.ts'
import { ObjectReader, ServedObject } from '../json/index.ts'
import { compareVersions, type FirstList } from '../watch/index.ts'
import type { Informer } from './informer.ts'
import { KindFeed, type ObjectDelta } from './kind-feed.ts'
import type { KindCacheOptions } from './kind-options.ts'
import { KindWatches } from './kind-watches.ts'
import type { IndexFunction } from './object-index.ts'
import { ObjectIndexes } from './object-indexes.ts'
import { ObjectListeners, type ObjectListener } from './object-listeners.ts'
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
  /** How the first list is requested. Default: `'list'`. */
  readonly firstList?: FirstList | undefined
  /** How often listeners get every object again, in milliseconds, give or take a tenth. Default: 10 hours. */
  readonly resyncMilliseconds?: number | undefined
  /** Called for index functions and transforms that threw. Default: none. */
  readonly onCallbackFailure?: CallbackFailureListener | undefined
  /** Called when the last listener has left. */
  readonly onUnused?: (() => void) | undefined
}

const RESYNC_MILLISECONDS = 36_000_000

/**
 * Keeps a copy of one kind's objects with watches that run from its construction until `stop`: one for all
 * namespaces, or one for each. Listeners get events of the watches only; reads also see this process's own writes.
 */
export class KindInformer<K extends AnyKind = AnyKind> implements Informer<K> {
  readonly kind: K
  readonly #options: KindInformerOptions<K>
  readonly #log: Logger
  readonly #store = new ObjectStore()
  readonly #parsed: ParsedObjects
  readonly #ownWrites: OwnWrites
  readonly #indexes: ObjectIndexes
  readonly #watches: KindWatches
  readonly #listeners: ObjectListeners<K>
  readonly #reader = new ObjectReader()
  readonly #selects: (object: KubernetesObject) => boolean
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
    this.#listeners = new ObjectListeners({
      read: (object) => this.#parsed.get(object),
      log: this.#log,
      onUnused: options.onUnused,
    })
    this.#indexes = new ObjectIndexes(this.kind)
    this.#watches = new KindWatches(this.kind, (namespace) => this.#feed(namespace))
    for (const [name, valuesOf] of Object.entries(options.indexes ?? {})) this.addIndex(name, valuesOf)
    this.setNamespaces(options.namespaces)
  }

  /** Whether the first lists of all namespaces that it watches are complete. */
  get synced(): boolean {
    return this.#watches.synced
  }

  get problem(): Error | undefined {
    return this.#watches.problem
  }

  /** How many objects it keeps. */
  get size(): number {
    return this.#store.size
  }

  /** The length of the JSON text of all objects that it keeps. */
  get length(): number {
    return this.#store.length
  }

  /** Whether it has listeners. */
  get listened(): boolean {
    return this.#listeners.size > 0
  }

  /** When an object was last read, in the clock's monotonic milliseconds. */
  get lastRead(): number {
    return this.#lastRead
  }

  /** Whether it watches this namespace; without one, whether it watches all. */
  watches(namespace?: string): boolean {
    return this.#watches.watches(namespace)
  }

  /**
   * Watches these namespaces from now on, or all of them. Listeners get no event for a namespace that is no longer
   * watched, because its objects are not deleted.
   */
  setNamespaces(namespaces: readonly string[] | undefined): void {
    const { wanted, ended } = this.#watches.setNamespaces(namespaces)
    for (const namespace of ended) {
      // The objects of all namespaces stay until the watches of the single namespaces have listed them.
      for (const object of Array.from(this.#store.values(namespace))) {
        if (!wanted.has('') && !wanted.has(object.namespace)) this.#drop(object)
      }
      if (namespace !== '') this.#ownWrites.forget(namespace)
    }
  }

  /** Indexes objects by the values that the function returns for each. An index of the same name is replaced. */
  addIndex(name: string, valuesOf: IndexFunction<ObjectOf<K>>): void {
    const valuesOfServed = (object: ServedObject): readonly string[] => {
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
    }
    this.#indexes.add(name, valuesOfServed, this.#store.values())
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
    const { namespace } = options
    const inNamespace = (object: ServedObject): boolean => !namespace || object.namespace === namespace
    return this.#ownWrites
      .over(index.get(value), (object) => index.matches(object, value))
      .filter(inNamespace)
      .map((object) => this.#read(object))
  }

  /**
   * Passes the existing objects to the listener before it returns. An error of the listener is logged, and other
   * listeners still get the event.
   */
  listen(listener: ObjectListener<K>): Disposable {
    return this.#listeners.add(listener, this.#store.list())
  }

  async whenSynced(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.#watches.until(() => this.synced, options.signal)
  }

  /**
   * Resolves when the copy of one namespace, or of all that it watches, can be read. Rejects where waiting does not
   * help: the server does not serve the kind, or does not let this user watch it.
   */
  async whenReadable(
    options: { signal?: AbortSignal | undefined; namespace?: string | undefined } = {},
  ): Promise<void> {
    await this.#watches.whenReadable(options.namespace, options.signal)
  }

  /** Whether a read of a namespace, or of all, can be answered at once; where not, `whenReadable` says why. */
  isReadable(namespace?: string): boolean {
    return this.#watches.isReadable(namespace)
  }

  /** Records the result of a write of this process: later reads are never older than it. */
  observeWrite(object: KubernetesObject): void {
    const shown = this.#watches.shownIn(object.metadata.namespace ?? '')
    if (!shown) return
    const kept = this.#transformed(ServedObject.of(object), undefined)
    this.#ownWrites.wrote(kept, shown.version, !this.#selects(object))
  }

  /** Records that this process deleted the object: reads no longer show it. */
  observeDelete(key: ObjectKey, uid: string | undefined): void {
    this.#ownWrites.deleted(key, uid)
  }

  /** Ends the watch and frees everything; pending `whenReadable` calls reject. */
  async stop(): Promise<void> {
    this.#resync?.cancel()
    this.#listeners.clear()
    await this.#watches.stop()
    this.#store.clear()
    this.#parsed.clear()
    this.#indexes.clear()
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
        if (this.#watches.isCurrent(feed)) this.#take(delta, feed)
      },
      changed: () => {
        if (this.#resync === undefined && !this.#watches.stopped && this.synced) this.#scheduleResync()
        this.#watches.wake()
      },
    })
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
      this.#listeners.deleted(old)
    }
  }

  #takeDeletion(object: ServedObject): void {
    const old = this.#store.get(object)
    if (old && (old.uid === object.uid || isNewer(object, old))) {
      this.#drop(old)
      this.#listeners.deleted(old.uid === object.uid ? this.#kept(object) : old)
    }
    this.#ownWrites.shownDeleted(object)
  }

  /** Stores an object. Ignores the known version of it and older ones. */
  #put(served: ServedObject, initial: boolean): void {
    const old = this.#store.get(served)
    const remade = old !== undefined && old.uid !== served.uid
    if (old && !remade && !isNewer(served, old)) return
    const object = this.#kept(served)
    this.#store.set(object)
    this.#indexes.replace(old, object)
    if (remade) this.#listeners.deleted(old)
    if (old && !remade) this.#listeners.updated(object, old)
    else this.#listeners.added(object, initial)
  }

  #drop(object: ServedObject): void {
    this.#store.delete(object)
    this.#indexes.delete(object)
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
        'a transform of the cache threw; the object is kept unchanged',
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

  #read(object: ServedObject): ObjectOf<K> {
    return this.#parsed.get(object)
  }

  #scheduleResync(): void {
    const { clock, resyncMilliseconds = RESYNC_MILLISECONDS } = this.#options
    this.#resync = clock.schedule(resyncMilliseconds * (0.9 + 0.2 * clock.random()), () => {
      for (const object of this.#store.list()) this.#listeners.resynced(object)
      this.#scheduleResync()
    })
  }
}

function isNewer(object: ServedObject, old: ServedObject): boolean {
  return (compareVersions(object.resourceVersion, old.resourceVersion) ?? 1) > 0
}
