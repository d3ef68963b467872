import type { Clock, Timer } from '@homeostat/api'
import { forgetSentEmpty, withBigInts } from '../../schema/index.ts'
import { isStoreFailure, type Store, type Stored } from '../../storage/index.ts'
import type { OptionalFeature } from '../../version/index.ts'
import type { Background } from './background.ts'
import { BookmarkBeat } from './bookmarks.ts'
import type { ConvertObjects } from '../conversion/convert-objects.ts'
import { Conversions } from '../conversion/conversions.ts'
import type { LiveCatalogue } from '../resource/catalogue.ts'
import type { StrategyContext } from '../resource/kind-strategy.ts'
import type { NativeKinds } from '../resource/native-catalogue.ts'
import type { Resource } from '../resource/resource.ts'
import {
  asIfStored,
  encodeObject,
  inStorageVersion,
  readsAddStatus,
  writtenThrough,
} from '../stored/served.ts'
import { checkStoredSize } from '../stored/stored-size.ts'
import { arrange, type ServerObject, storedObject } from '../resource/server-object.ts'
import { EffectWarnings, type WithoutEffect } from './effect-warnings.ts'
import { ValidEntries } from './valid-entries.ts'

/** A change that was stored. */
export interface ObservedChange {
  readonly resource: Resource
  readonly key: string
  /** The entry now; undefined when it is gone. */
  readonly entry: Stored | undefined
  readonly previous: Stored | undefined
}

/** A watch under way. */
interface OpenWatch {
  /** Ends it after all events so far. */
  end(): void
  /** Checks again whether its resource is still served. */
  recheck(): void
}

/** The interval of retries of the server's own work while the store accepts no writes, in milliseconds. */
const RETRY = 1_000

/** The state that all verbs share: the store, the catalogue of resources, and the strategies of kinds. */
export class Registry {
  readonly store: Store
  readonly clock: Clock
  readonly catalogue: LiveCatalogue
  readonly bookmarks: BookmarkBeat
  /** The objects of custom kinds in versions that only a webhook can convert to. */
  readonly conversions: Conversions
  readonly validEntries = new ValidEntries()
  /** Runs long computations; absent where everything is computed in place. */
  readonly background: Background | undefined
  /** The watches under way, so that they end with the server. */
  readonly watches = new Set<OpenWatch>()
  /** The features of Kubernetes that this server was started without. */
  readonly disabledFeatures: ReadonlySet<OptionalFeature>
  readonly #kinds: Pick<NativeKinds, 'load' | 'loaded'>
  readonly #effects: EffectWarnings
  #closed = false
  readonly #retries = new Set<Timer>()
  readonly #observers = new Set<(change: ObservedChange) => void>()

  constructor(options: {
    store: Store
    clock: Clock
    catalogue: LiveCatalogue
    kinds: Pick<NativeKinds, 'load' | 'loaded'>
    background?: Background | undefined
    /** How webhooks convert objects of custom kinds. Default: no webhook can be called. */
    convertObjects?: ConvertObjects | undefined
    /** The objects without effect. Default: none. */
    withoutEffect?: readonly WithoutEffect[] | undefined
    /** Default: all features are on. */
    disabledFeatures?: ReadonlySet<OptionalFeature> | undefined
  }) {
    this.store = options.store
    this.clock = options.clock
    this.catalogue = options.catalogue
    this.#kinds = options.kinds
    this.background = options.background
    this.disabledFeatures = options.disabledFeatures ?? new Set()
    this.#effects = new EffectWarnings(options.withoutEffect ?? [])
    this.bookmarks = new BookmarkBeat(options.clock)
    this.conversions = new Conversions(options.convertObjects)
  }

  /** Whether the strategies of the native kinds are loaded. */
  get kindsLoaded(): boolean {
    return this.#kinds.loaded
  }

  /** Loads the strategies of the native kinds, which every write needs; undefined where they are loaded already. */
  loadKinds(): Promise<void> | undefined {
    return this.#kinds.load()
  }

  /**
   * The warnings for the client that writes an accepted object. Those about an object without effect are left out
   * where `saysEffect` is false.
   */
  warnings(
    resource: Resource,
    object: ServerObject,
    old: ServerObject | undefined,
    saysEffect = true,
  ): readonly string[] {
    // No warning about a custom object depends on its numbers.
    const view = (one: ServerObject): ServerObject => (resource.custom ? one : withBigInts(one))
    const found = resource.strategy().warnings?.(view(object), old && view(old)) ?? []
    return saysEffect ? [...found, ...this.#effects.of(resource, object)] : found
  }

  context(resource: Resource): StrategyContext {
    return { store: this.store, clock: this.clock, resource }
  }

  /** Calls a listener for every change, right after it was stored and before anything else happens. */
  observe(observer: (change: ObservedChange) => void): void {
    this.#observers.add(observer)
  }

  get(resource: Resource, key: string): Stored | undefined {
    return this.store.get(collectionOf(resource), key)
  }

  /**
   * Stores the object under its new resourceVersion; `undefined` when another write came first. Fails with `Failure` when
   * it is too long. An object that only a webhook can convert must be in its storage version, unless it is stored `asIs`.
   */
  put(
    resource: Resource,
    key: string,
    expected: number,
    object: ServerObject,
    asIs = false,
  ): Stored | undefined {
    const previous = this.get(resource, key)
    const kept = resource.custom && !asIs ? inStorageVersion(object, resource) : object
    let stored = kept
    const entry = this.store.put(
      collectionOf(resource),
      key,
      expected,
      (revision) => (stored = arrange(withVersion(kept, revision))),
      (json) => checkStoredSize({ resource, key, expected, object: stored, json }),
    )
    if (entry) {
      if (!resource.custom) forgetSentEmpty(stored)
      if (!readsAddStatus(stored, resource)) writtenThrough(entry, resource)
      this.#tell({ resource, key, entry, previous })
    }
    return entry
  }

  /**
   * The object as it would be stored, and its JSON, without storing it. Fails with `Failure` when it would be too long for
   * that.
   */
  rehearse(
    resource: Resource,
    key: string,
    expected: number,
    object: ServerObject,
  ): { object: ServerObject; json: Uint8Array } {
    const whole = asIfStored(object, resource)
    const json = encodeObject(whole)
    checkStoredSize({ resource, key, expected, object: whole, json })
    return { object: whole, json }
  }

  /** Removes the object. The event of the deletion has its last state. */
  remove(resource: Resource, key: string, expected: number): Stored | undefined {
    const previous = this.get(resource, key)
    if (!previous) return undefined
    const entry = this.store.delete(collectionOf(resource), key, expected, (revision) =>
      withVersion(storedObject(previous), revision),
    )
    if (entry) this.#tell({ resource, key, entry: undefined, previous })
    return entry
  }

  /**
   * Schedules work of the server itself after the current turn. While the store accepts no writes, as on a full disk,
   * the work is retried every second until the server is closed.
   */
  soon(what: string, work: () => void | Promise<void>): void {
    const busy = this.clock.busy(what)
    queueMicrotask(() => void this.#attempt(what, work).finally(() => busy.end()))
  }

  /** Whether {@link close} was called. */
  get closed(): boolean {
    return this.#closed
  }

  /** Ends every watch, and refuses new ones. */
  close(): void {
    this.#closed = true
    for (const watch of this.watches) watch.end()
    for (const timer of this.#retries) timer.cancel()
  }

  async #attempt(what: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isStoreFailure(error)) throw error
      if (this.#closed) return
      const timer = this.clock.schedule(RETRY, () => {
        this.#retries.delete(timer)
        this.soon(what, work)
      })
      this.#retries.add(timer)
    }
  }

  #tell(change: ObservedChange): void {
    for (const observer of this.#observers) observer(change)
  }
}

/** The collection of a resource's objects, which all of its versions share. */
export function collectionOf(resource: Pick<Resource, 'group' | 'plural' | 'collection'>): string {
  return resource.collection ?? `${resource.group}/${resource.plural}`
}

/** The key of an object in its collection. */
export function keyIn(resource: Resource, namespace: string | undefined, name: string): string {
  return resource.scope === 'Namespaced' ? `${namespace ?? ''}/${name}` : name
}

/** The name of the object with this key. */
export function nameIn(key: string): string {
  return key.slice(key.indexOf('/') + 1)
}

/** The namespace of the object with this key; empty where it has none. */
export function namespaceIn(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('/')))
}

function withVersion(object: ServerObject, revision: number): ServerObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }
}
