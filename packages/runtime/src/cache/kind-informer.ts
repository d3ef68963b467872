import {
  HomeostatError,
  type AnyKind,
  type Clock,
  type KubernetesObject,
  type ObjectKey,
  type ObjectOf,
  type Timer,
} from '@homeostat/api'
import { isForbidden, isUnauthorized } from '../client/api-error.ts'
import { deepFreeze } from '../client/deep-freeze.ts'
import { resourceName } from '../client/route.ts'
import { silentLogger } from '../telemetry/create-logger.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Transport } from '../transport/transport.ts'
import type { Delta } from '../watch/delta.ts'
import { compareVersions } from '../watch/resource-version.ts'
import { watchKind } from '../watch/watch-kind.ts'
import type { Informer, ObjectEvent } from './informer.ts'
import { ObjectStore } from './object-store.ts'
import { OwnWrites } from './own-writes.ts'

export interface KindInformerOptions<K extends AnyKind> {
  kind: K
  transport: Transport
  clock: Clock
  logger?: Logger | undefined
  /** How often every object is told again, in milliseconds, give or take a tenth. Default: 10 hours. */
  resyncMilliseconds?: number | undefined
}

const RESYNC_MILLISECONDS = 36_000_000

type Listener<K extends AnyKind> = (event: ObjectEvent<K>) => void

/**
 * Keeps the copy of one kind's objects by a watch that it runs from its making until it is stopped.
 * Listeners are told by the watch alone; reads also know this process's own writes.
 */
export class KindInformer<K extends AnyKind = AnyKind> implements Informer<K> {
  readonly kind: K
  readonly #options: KindInformerOptions<K>
  readonly #log: Logger
  readonly #store = new ObjectStore()
  readonly #ownWrites: OwnWrites
  readonly #listeners = new Set<Listener<K>>()
  readonly #waiting = new Set<() => void>()
  readonly #abort = new AbortController()
  readonly #running: Promise<void>
  #synced = false
  #missing = false
  #problem: Error | undefined
  /** Up to which version the watch has told everything. */
  #version: string | undefined
  #resync: Timer | undefined

  constructor(options: KindInformerOptions<K>) {
    this.kind = options.kind
    this.#options = options
    this.#log = options.logger ?? silentLogger
    this.#ownWrites = new OwnWrites(this.#store, options.clock)
    this.#running = this.#run()
  }

  get synced(): boolean {
    return this.#synced
  }

  get problem(): Error | undefined {
    return this.#problem
  }

  get(key: ObjectKey): ObjectOf<K> | undefined {
    const object = this.#ownWrites.get(key)
    return object && this.#handOut(object)
  }

  list(options: { namespace?: string | undefined } = {}): readonly ObjectOf<K>[] {
    return this.#ownWrites.list(options.namespace).map((object) => this.#handOut(object))
  }

  /**
   * What is there already is told before this returns; what the listener throws is logged, and keeps
   * nothing from the others.
   */
  listen(listener: Listener<K>): Disposable {
    this.#listeners.add(listener)
    for (const object of this.#store.list()) {
      this.#tell(listener, { type: 'added', object: this.#handOut(object), initial: true })
    }
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  async whenSynced(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.#until(() => this.#synced, options.signal)
  }

  /**
   * Resolves when the copy can be read; rejects when that will not come about by waiting: the server does
   * not serve the kind, or does not let this user watch it.
   */
  async whenReadable(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.#until(() => {
      if (this.#missing) throw this.#problem!
      if (this.#synced) return true
      if (isForbidden(this.#problem) || isUnauthorized(this.#problem)) throw this.#problem
      return false
    }, options.signal)
  }

  /** This came back from a write of this process: from now on reads are not older than it. */
  observeWrite(object: KubernetesObject): void {
    this.#ownWrites.wrote(object, this.#version)
  }

  /** This process deleted the object, and it is gone: reads no longer show it. */
  observeDelete(key: ObjectKey, uid: string | undefined): void {
    this.#ownWrites.deleted(key, uid)
  }

  /** Ends the watch and frees everything; whoever waits is told. */
  async stop(): Promise<void> {
    this.#abort.abort(stoppedError(this.kind))
    this.#resync?.cancel()
    this.#listeners.clear()
    this.#wake()
    await this.#running
    this.#store.clear()
    this.#ownWrites.clear()
  }

  async #run(): Promise<void> {
    const { transport, clock, kind } = this.#options
    const deltas = watchKind({ transport, clock, kind, signal: this.#abort.signal, logger: this.#log })
    for await (const delta of deltas) {
      if (this.#abort.signal.aborted) return
      this.#take(delta)
    }
  }

  #take(delta: Delta): void {
    switch (delta.type) {
      case 'listed':
        this.#takeList(delta.objects, delta.resourceVersion)
        break
      case 'added':
      case 'modified':
        this.#takeObject(delta.object)
        break
      case 'deleted':
        this.#takeDeletion(delta.object)
        break
      case 'bookmark':
        this.#reach(delta.resourceVersion)
        this.#ownWrites.reached(delta.resourceVersion)
        break
      case 'missing':
        this.#missing = true
        this.#problem = delta.error
        this.#wake()
        return
      case 'failed':
        // A kind that was not served stays so until a list shows otherwise.
        if (!this.#missing) this.#problem = delta.error
        this.#wake()
        return
    }
    this.#problem = undefined
  }

  #takeList(objects: readonly KubernetesObject[], version: string): void {
    const before = [...this.#store.values()]
    const listed = new Map(objects.map((object) => [object.metadata.uid, object]))
    for (const old of before) {
      if (listed.has(old.metadata.uid)) continue
      this.#store.delete(old.metadata)
      this.#emit('deleted', old)
    }
    for (const object of objects) this.#put(object, !this.#synced)
    this.#reach(version)
    this.#ownWrites.reached(version)
    this.#missing = false
    this.#problem = undefined
    if (!this.#synced) {
      this.#synced = true
      this.#scheduleResync()
    }
    this.#wake()
  }

  #takeObject(object: KubernetesObject): void {
    this.#put(object, false)
    this.#reach(object.metadata.resourceVersion)
    this.#ownWrites.shown(object)
  }

  #takeDeletion(object: KubernetesObject): void {
    const old = this.#store.get(object.metadata)
    if (old && (old.metadata.uid === object.metadata.uid || isNewer(object, old))) {
      this.#store.delete(object.metadata)
      this.#emit('deleted', old.metadata.uid === object.metadata.uid ? object : old)
    }
    this.#reach(object.metadata.resourceVersion)
    this.#ownWrites.shownDeleted(object)
  }

  /** A version that is known already, or an older one, is no news. */
  #put(object: KubernetesObject, initial: boolean): void {
    const old = this.#store.get(object.metadata)
    if (!old) {
      this.#store.set(object)
      this.#emit('added', object, initial)
    } else if (old.metadata.uid !== object.metadata.uid) {
      this.#store.set(object)
      this.#emit('deleted', old)
      this.#emit('added', object, initial)
    } else if (isNewer(object, old)) {
      this.#store.set(object)
      this.#emitUpdate(object, old)
    }
  }

  #reach(version: string): void {
    if (this.#version === undefined || (compareVersions(version, this.#version) ?? 1) > 0)
      this.#version = version
  }

  #emit(type: 'added' | 'deleted' | 'resync', object: KubernetesObject, initial = false): void {
    if (this.#listeners.size === 0) return
    const shown = this.#handOut(object)
    const event = type === 'added' ? { type, object: shown, initial } : { type, object: shown }
    for (const listener of Array.from(this.#listeners)) this.#tell(listener, event)
  }

  #emitUpdate(object: KubernetesObject, before: KubernetesObject): void {
    if (this.#listeners.size === 0) return
    const event = {
      type: 'updated' as const,
      object: this.#handOut(object),
      before: this.#handOut(before),
    }
    for (const listener of Array.from(this.#listeners)) this.#tell(listener, event)
  }

  #tell(listener: Listener<K>, event: ObjectEvent<K>): void {
    try {
      listener(event)
    } catch (error) {
      this.#log.error({ error, event: event.type }, 'a listener of an informer threw')
    }
  }

  /** Freezing is paid for when an object is first handed out, not when it arrives. */
  #handOut(object: KubernetesObject): ObjectOf<K> {
    return deepFreeze(object) as ObjectOf<K>
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
      this.#abort.signal.throwIfAborted()
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

function isNewer(object: KubernetesObject, old: KubernetesObject): boolean {
  const [version, known] = [object.metadata.resourceVersion, old.metadata.resourceVersion]
  return (compareVersions(version, known) ?? 1) > 0
}

function stoppedError(kind: AnyKind): HomeostatError {
  return new HomeostatError(
    'CACHE_STOPPED',
    `the cache of ${resourceName(kind)} was stopped. It ends with its manager: start a new one to read again.`,
  )
}
