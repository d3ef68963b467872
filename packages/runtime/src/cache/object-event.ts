import type { AnyKind, KubernetesObject, ObjectKey } from '@homeostat/api'
import { deepFreeze, nameOf } from '../client/index.ts'
import type { ServedObject } from '../json/index.ts'
import type { ObjectEvent } from './informer.ts'

/** Gives the parsed and frozen form of an object. */
export type ReadObject = (object: ServedObject) => KubernetesObject

/** An event whose objects are parsed when a listener looks at them. */
export class LazyEvent {
  readonly type: ObjectEvent['type']
  readonly initial: boolean | undefined
  readonly #object: ServedObject
  readonly #before: ServedObject | undefined
  readonly #read: ReadObject
  #key: ObjectKey | undefined
  #parsed: KubernetesObject | undefined
  #metadataBefore: KubernetesObject['metadata'] | undefined
  #metadataChanged: ReadonlySet<string> | undefined

  private constructor(
    type: ObjectEvent['type'],
    read: ReadObject,
    object: ServedObject,
    rest: { before?: ServedObject; initial?: boolean } = {},
  ) {
    this.type = type
    this.initial = rest.initial
    this.#read = read
    this.#object = object
    this.#before = rest.before
  }

  static of<K extends AnyKind>(
    type: ObjectEvent['type'],
    read: ReadObject,
    object: ServedObject,
    rest?: { before?: ServedObject; initial?: boolean },
  ): ObjectEvent<K> {
    return new LazyEvent(type, read, object, rest) as unknown as ObjectEvent<K>
  }

  get key(): ObjectKey {
    return (this.#key ??= nameOf(this.#object))
  }

  get identity(): { readonly uid: string; readonly resourceVersion: string } {
    return this.#object
  }

  get object(): KubernetesObject {
    return (this.#parsed ??= this.#read(this.#object))
  }

  get before(): KubernetesObject | undefined {
    return this.#before && this.#read(this.#before)
  }

  get metadataBefore(): KubernetesObject['metadata'] | undefined {
    return (this.#metadataBefore ??= this.#before && deepFreeze(this.#before.parseMetadata()))
  }

  get metadataChanged(): ReadonlySet<string> | undefined {
    return (this.#metadataChanged ??= this.#before && this.#object.metadataChangedFrom(this.#before))
  }
}
