import {
  apiVersionOf,
  formatKey,
  keyOf,
  type AnyKind,
  type ObjectKey,
  type ObjectMetaInput,
} from '@homeostat/api'
import type { Cache, Informer, ObjectEvent } from '../src/cache/informer.ts'

/** An object as a test writes it. */
export type HandFedObject = { metadata: ObjectMetaInput & { name: string } } & Record<string, unknown>

/**
 * A cache that a test fills, in place of a server's watches: the listeners get each object
 * at once and in order.
 */
export class HandFedCache implements Cache {
  readonly #informers = new Map<string, HandFedInformer>()

  informer(kind: AnyKind): any {
    let informer = this.#informers.get(kind.kind)
    if (!informer) {
      informer = new HandFedInformer(kind)
      this.#informers.set(kind.kind, informer)
    }
    return informer
  }

  index(kind: AnyKind, name: string): never {
    throw new Error(
      `a cache that is fed by hand keeps no index ${name} of ${kind.kind}: use an InformerCache`,
    )
  }

  /** Creates the object, or a new version of it. */
  put(kind: AnyKind, object: HandFedObject): void {
    this.#feed(kind).put(object)
  }

  delete(kind: AnyKind, key: ObjectKey): void {
    this.#feed(kind).delete(key)
  }

  resync(kind: AnyKind): void {
    this.#feed(kind).resync()
  }

  /** Delays the first list of the kind until {@link finishList}. */
  holdList(kind: AnyKind): void {
    this.#feed(kind).hold()
  }

  finishList(kind: AnyKind): void {
    this.#feed(kind).finish()
  }

  /** The number of listeners of the kind. */
  listeners(kind: AnyKind): number {
    return this.#feed(kind).listeners
  }

  #feed(kind: AnyKind): HandFedInformer {
    return this.informer(kind)
  }
}

class HandFedInformer implements Informer {
  readonly kind: AnyKind
  readonly #objects = new Map<string, any>()
  readonly #listeners = new Set<(event: ObjectEvent) => void>()
  #synced = Promise.withResolvers<void>()
  #version = 0
  synced = true

  constructor(kind: AnyKind) {
    this.kind = kind
    this.#synced.resolve()
  }

  get listeners(): number {
    return this.#listeners.size
  }

  whenSynced({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) reject(signal.reason)
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      this.#synced.promise.then(resolve, reject)
    })
  }

  get(key: ObjectKey): any {
    return this.#objects.get(formatKey(key))
  }

  list(options: { namespace?: string | undefined } = {}): readonly any[] {
    const all = [...this.#objects.values()]
    return options.namespace ? all.filter((object) => object.metadata.namespace === options.namespace) : all
  }

  listen(listener: (event: ObjectEvent) => void): Disposable {
    this.#listeners.add(listener)
    for (const object of this.#objects.values()) listener({ type: 'added', object, initial: true })
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  put(given: HandFedObject): void {
    const before = this.get(given.metadata)
    const object: any = Object.freeze({
      apiVersion: apiVersionOf(this.kind),
      kind: this.kind.kind,
      ...given,
      metadata: Object.freeze({
        uid: `uid-of-${given.metadata.name}`,
        resourceVersion: `${++this.#version}`,
        ...given.metadata,
      }),
    })
    this.#objects.set(formatKey(keyOf(object)), object)
    this.#tell(
      before ? { type: 'updated', object, before } : { type: 'added', object, initial: !this.synced },
    )
  }

  delete(key: ObjectKey): void {
    const object = this.get(key)
    this.#objects.delete(formatKey(key))
    this.#tell({ type: 'deleted', object })
  }

  resync(): void {
    for (const object of this.#objects.values()) this.#tell({ type: 'resync', object })
  }

  hold(): void {
    this.synced = false
    this.#synced = Promise.withResolvers()
  }

  finish(): void {
    this.synced = true
    this.#synced.resolve()
  }

  #tell(event: ObjectEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
