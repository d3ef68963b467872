import {
  deepFreeze,
  type AnyKind,
  type KubernetesObject,
  type ObjectKey,
  type ObjectOf,
} from '@homeostat/api'
import { nameOf } from '../requests/index.ts'
import type { ServedObject } from '../json/index.ts'

/** Returns the parsed and frozen form of an object. */
export type ReadObject = (object: ServedObject) => KubernetesObject

/** An event whose objects are parsed when a listener looks at them. */
class LazyEvent<K extends AnyKind> {
  readonly #object: ServedObject
  readonly #read: ReadObject
  #key: ObjectKey | undefined
  #parsed: KubernetesObject | undefined

  constructor(read: ReadObject, object: ServedObject) {
    this.#read = read
    this.#object = object
  }

  get key(): ObjectKey {
    return (this.#key ??= nameOf(this.#object))
  }

  get identity(): { readonly uid: string; readonly resourceVersion: string } {
    return this.#object
  }

  get object(): ObjectOf<K> {
    return (this.#parsed ??= this.#read(this.#object))
  }
}

/** An object that was not there before. */
export class LazyAdded<K extends AnyKind> extends LazyEvent<K> {
  readonly type = 'added'
  readonly initial: boolean

  constructor(read: ReadObject, object: ServedObject, initial: boolean) {
    super(read, object)
    this.initial = initial
  }
}

/** Another version of an object. */
export class LazyUpdated<K extends AnyKind> extends LazyEvent<K> {
  readonly type = 'updated'
  readonly #readBefore: ReadObject
  readonly #after: ServedObject
  readonly #before: ServedObject
  #metadataBefore: KubernetesObject['metadata'] | undefined
  #metadataChanged: ReadonlySet<string> | undefined

  constructor(read: ReadObject, object: ServedObject, before: ServedObject) {
    super(read, object)
    this.#readBefore = read
    this.#after = object
    this.#before = before
  }

  get before(): ObjectOf<K> {
    return this.#readBefore(this.#before)
  }

  get metadataBefore(): ObjectOf<K>['metadata'] {
    return (this.#metadataBefore ??= deepFreeze(this.#before.parseMetadata()))
  }

  get metadataChanged(): ReadonlySet<string> {
    return (this.#metadataChanged ??= this.#after.metadataChangedFrom(this.#before))
  }
}

/** An object that is gone, as it was last seen. */
export class LazyDeleted<K extends AnyKind> extends LazyEvent<K> {
  readonly type = 'deleted'
}

/** An event for an object that has not changed. */
export class LazyResync<K extends AnyKind> extends LazyEvent<K> {
  readonly type = 'resync'
}
