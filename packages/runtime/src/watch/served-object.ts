import type { KubernetesObject } from '@homeostat/api'

/** What tells objects, and versions of them, apart. */
export interface ObjectIdentity {
  readonly name: string
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
}

/** The JSON text of an object in UTF-8, and the parts of it that it shares with others. */
export interface ObjectText {
  /** The text without the shared parts. */
  readonly bytes: Uint8Array
  /** Where in the bytes each shared part belongs, in order. */
  readonly shared?: readonly { readonly at: number; readonly text: string }[] | undefined
}

const decoder = new TextDecoder()

/**
 * An object as a server wrote it: what identifies it at hand, the rest as text until someone reads it.
 * Text takes less than half the memory of the parsed object, and most objects are never read again. It is
 * kept as bytes, outside of what the garbage collector has to move.
 */
export class ServedObject implements ObjectIdentity {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly #content: ObjectText | KubernetesObject

  constructor(identity: ObjectIdentity, content: ObjectText | KubernetesObject) {
    this.name = identity.name
    this.namespace = identity.namespace
    this.uid = identity.uid
    this.resourceVersion = identity.resourceVersion
    this.#content = content
  }

  /** Keeps a parsed object as it is: for those that are few, or read at once. */
  static of(object: KubernetesObject): ServedObject {
    return new ServedObject(identityOf(object), object)
  }

  /** How long its text is; 0 where there is none. */
  get length(): number {
    const content = this.#content
    if (!isText(content)) return 0
    let { length } = content.bytes
    for (const { text } of content.shared ?? []) length += text.length
    return length
  }

  /** The object; made from its text anew each time. */
  parse(): KubernetesObject {
    const content = this.#content
    if (!isText(content)) return content
    const { bytes, shared = [] } = content
    let [text, from] = ['', 0]
    for (const part of shared) {
      text += decoder.decode(bytes.subarray(from, part.at)) + part.text
      from = part.at
    }
    return JSON.parse(text + decoder.decode(bytes.subarray(from))) as KubernetesObject
  }
}

export function identityOf(object: KubernetesObject): ObjectIdentity {
  const { name, namespace = '', uid, resourceVersion } = object.metadata
  return { name, namespace, uid, resourceVersion }
}

function isText(content: ObjectText | KubernetesObject): content is ObjectText {
  return 'bytes' in content
}
