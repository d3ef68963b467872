import type { AnyKind } from '@homeostat/api'
import type { ServedObject } from '../json/index.ts'
import type { Logger } from '../telemetry/index.ts'
import type { ObjectEvent } from './informer.ts'
import { LazyAdded, LazyDeleted, LazyResync, LazyUpdated, type ReadObject } from './object-event.ts'

export type ObjectListener<K extends AnyKind> = (event: ObjectEvent<K>) => void

/** The listeners of one informer. An error of one is logged, and the others still get the event. */
export class ObjectListeners<K extends AnyKind> {
  readonly #listeners = new Set<ObjectListener<K>>()
  readonly #read: ReadObject
  readonly #log: Logger
  readonly #onUnused: (() => void) | undefined

  /** `read` parses an object when a listener looks at it; `onUnused` is called when the last listener has left. */
  constructor(options: {
    readonly read: ReadObject
    readonly log: Logger
    readonly onUnused?: (() => void) | undefined
  }) {
    this.#read = options.read
    this.#log = options.log
    this.#onUnused = options.onUnused
  }

  get size(): number {
    return this.#listeners.size
  }

  /** Adds a listener, and passes it the existing objects before this returns. */
  add(listener: ObjectListener<K>, objects: Iterable<ServedObject>): Disposable {
    this.#listeners.add(listener)
    for (const object of objects) {
      this.#tell(listener, new LazyAdded<K>(this.#read, object, true))
    }
    return {
      [Symbol.dispose]: () => {
        if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#onUnused?.()
      },
    }
  }

  added(object: ServedObject, initial: boolean): void {
    if (this.#listeners.size > 0) this.#tellAll(new LazyAdded<K>(this.#read, object, initial))
  }

  updated(object: ServedObject, before: ServedObject): void {
    if (this.#listeners.size > 0) this.#tellAll(new LazyUpdated<K>(this.#read, object, before))
  }

  deleted(object: ServedObject): void {
    if (this.#listeners.size > 0) this.#tellAll(new LazyDeleted<K>(this.#read, object))
  }

  resynced(object: ServedObject): void {
    if (this.#listeners.size > 0) this.#tellAll(new LazyResync<K>(this.#read, object))
  }

  clear(): void {
    this.#listeners.clear()
  }

  /** Calls the listeners in the order in which they were added. */
  #tellAll(event: ObjectEvent<K>): void {
    for (const listener of Array.from(this.#listeners)) this.#tell(listener, event)
  }

  #tell(listener: ObjectListener<K>, event: ObjectEvent<K>): void {
    try {
      listener(event)
    } catch (error) {
      this.#log.error({ error, event: event.type }, 'a listener of an informer threw')
    }
  }
}
