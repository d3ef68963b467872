import { formatKey, HomeostatError, type KubernetesObject } from '@homeostat/api'
import type { FieldTable } from './shared-fields.ts'

/** What tells objects, and versions of them, apart. */
export interface ObjectIdentity {
  readonly name: string
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
}

/**
 * An object as a server wrote it: what identifies it at hand, the rest as text until someone reads it.
 * Text takes less than half the memory of the parsed object, and most objects are never read again.
 */
export class ServedObject implements ObjectIdentity {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  /** How long its text is, as the server sent it; 0 where there is none. */
  readonly length: number
  readonly #content: string | KubernetesObject
  readonly #table: FieldTable | undefined

  private constructor(
    identity: ObjectIdentity,
    content: string | KubernetesObject,
    length: number,
    table: FieldTable | undefined,
  ) {
    this.name = identity.name
    this.namespace = identity.namespace
    this.uid = identity.uid
    this.resourceVersion = identity.resourceVersion
    this.length = length
    this.#content = content
    this.#table = table
  }

  /**
   * Keeps the text of an object. In place of each value of `fieldsV1` that it shares with others stands the
   * value's number in the table. `length` is how many bytes the server sent.
   */
  static ofText(identity: ObjectIdentity, text: string, length: number, table?: FieldTable): ServedObject {
    return new ServedObject(identity, text, length, table)
  }

  /** Keeps a parsed object as it is: for those that are few, or read at once. */
  static of(object: KubernetesObject): ServedObject {
    return new ServedObject(identityOf(object), object, 0, undefined)
  }

  /** The object; made from its text anew each time, but for managed fields that it shares, which are frozen. */
  parse(): KubernetesObject {
    if (typeof this.#content !== 'string') return this.#content
    const object = this.#read(this.#content)
    if (this.#table) restoreFields(object, this.#table)
    return object
  }

  #read(text: string): KubernetesObject {
    try {
      return JSON.parse(text) as KubernetesObject
    } catch (cause) {
      throw new HomeostatError(
        'OBJECT_NOT_JSON',
        `what the server sent for ${formatKey(this)} is not JSON. It is read again when the object changes; look at what stands between here and the API server.`,
        { cause },
      )
    }
  }
}

export function identityOf(object: KubernetesObject): ObjectIdentity {
  const { name, namespace = '', uid, resourceVersion } = object.metadata
  return { name, namespace, uid, resourceVersion }
}

/** A value of `fieldsV1` is an object, so a number can only be ours. */
function restoreFields(object: KubernetesObject, table: FieldTable): void {
  for (const manager of (object.metadata.managedFields ?? []) as { fieldsV1?: unknown }[]) {
    if (typeof manager.fieldsV1 === 'number') manager.fieldsV1 = table.value(manager.fieldsV1)
  }
}
