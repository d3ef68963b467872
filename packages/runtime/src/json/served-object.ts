import {
  formatKey,
  HomeostatError,
  parseWithKeys,
  type KeptObject,
  type KubernetesObject,
} from '@homeostat/api'
import { changedMembers, differingTexts } from './json-members.ts'
import type { FieldTable } from './shared-fields.ts'

/** The fields that identify an object and its version. */
export interface ObjectIdentity {
  readonly name: string
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
}

/**
 * An object as a server wrote it: its identity is parsed, the rest is text until it is read.
 * Text takes less than half the memory of the parsed object, and most objects are never read again.
 */
export class ServedObject implements ObjectIdentity {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  /** How long its text is, as the server sent it; 0 where there is none. */
  readonly length: number
  readonly #content: string | KubernetesObject | KeptReference
  readonly #table: FieldTable | undefined
  /** Where the metadata begins and ends in the text; 0 where that is not known. */
  readonly #metadataStart: number
  readonly #metadataEnd: number

  private constructor(
    identity: ObjectIdentity,
    content: string | KubernetesObject | KeptReference,
    length: number,
    table: FieldTable | undefined,
    [metadataStart, metadataEnd]: readonly [number, number],
  ) {
    this.name = identity.name
    this.namespace = identity.namespace
    this.uid = identity.uid
    this.resourceVersion = identity.resourceVersion
    this.length = length
    this.#content = content
    this.#table = table
    this.#metadataStart = metadataStart
    this.#metadataEnd = metadataEnd
  }

  /**
   * Keeps the text of an object. The value's number in the table replaces each shared value of `fieldsV1`. `length`
   * is how many bytes the server sent, `metadata` where the metadata begins and ends.
   */
  static ofText(
    identity: ObjectIdentity,
    text: string,
    length: number,
    table?: FieldTable,
    metadata: readonly [number, number] = [0, 0],
  ): ServedObject {
    return new ServedObject(identity, text, length, table, metadata)
  }

  /** Keeps a parsed object: for kinds with few objects, or objects that are read at once. */
  static of(object: KubernetesObject): ServedObject {
    return new ServedObject(identityOf(object), object, 0, undefined, [0, 0])
  }

  /** Refers to an object that a server in this process keeps. It takes no memory here. */
  static kept(object: KeptObject): ServedObject {
    const identity = identityOf(asObject(object.value))
    return new ServedObject(identity, new KeptReference(object), object.json.length, undefined, [0, 0])
  }

  /**
   * The object, parsed from its text on each call; managed fields are shared and frozen. An object that a server in this process
   * keeps is frozen and shared as a whole.
   */
  parse(): KubernetesObject {
    if (this.#content instanceof KeptReference) return this.#content.object
    if (typeof this.#content !== 'string') return this.#content
    const object = asObject(this.#read(this.#content))
    if (this.#table) restoreFields(object.metadata, this.#table)
    return object
  }

  /** Its metadata. Parses only the metadata where possible. */
  parseMetadata(): KubernetesObject['metadata'] {
    const text = this.#metadataText()
    if (text === undefined) return this.parse().metadata
    const metadata = this.#read(text) as KubernetesObject['metadata']
    if (this.#table) restoreFields(metadata, this.#table)
    return metadata
  }

  /**
   * The names of the metadata fields that differ from another version. Compares the texts without parsing where
   * possible.
   */
  metadataChangedFrom(before: ServedObject): ReadonlySet<string> {
    const [text, textBefore] = [this.#metadataText(), before.#metadataText()]
    if (text !== undefined && textBefore !== undefined) {
      return differingTexts(textBefore, text)
    }
    return changedMembers(before.parse().metadata, this.parse().metadata)
  }

  #metadataText(): string | undefined {
    if (typeof this.#content !== 'string' || this.#metadataEnd === 0) return undefined
    return this.#content.slice(this.#metadataStart, this.#metadataEnd)
  }

  #read(text: string): unknown {
    try {
      return parseWithKeys(text)
    } catch (cause) {
      throw new HomeostatError(
        'OBJECT_NOT_JSON',
        `what the server sent for ${formatKey(this)} is not JSON. It is read again when the object changes; check the proxies between this process and the API server.`,
        { cause },
      )
    }
  }
}

/** A reference to an object that a server in this process keeps. */
class KeptReference {
  readonly #kept: KeptObject

  constructor(kept: KeptObject) {
    this.#kept = kept
  }

  get object(): KubernetesObject {
    return asObject(this.#kept.value)
  }
}

/** JSON of a server, which sends objects with their kind and metadata. */
function asObject(json: unknown): KubernetesObject {
  return json as KubernetesObject
}

export function identityOf(object: KubernetesObject): ObjectIdentity {
  const { name, namespace = '', uid, resourceVersion } = object.metadata
  return { name, namespace, uid, resourceVersion }
}

/** Puts shared values back. A value of `fieldsV1` is an object, so a number can only stand for a shared one. */
function restoreFields(metadata: KubernetesObject['metadata'], table: FieldTable): void {
  for (const manager of (metadata.managedFields ?? []) as { fieldsV1?: unknown }[]) {
    if (typeof manager.fieldsV1 === 'number') manager.fieldsV1 = table.value(manager.fieldsV1)
  }
}
