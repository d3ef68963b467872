import type { KubernetesObject } from '@homeostat/api'
import { bytesOf, isText, scanObject, type Span } from './scan-object.ts'
import { identityOf, ServedObject, type ObjectText } from './served-object.ts'
import { SharedTexts } from './shared-texts.ts'

/** A line of a watch that is about an object. */
export interface ObjectLine {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: ServedObject
}

const PREFIXES = (['ADDED', 'MODIFIED', 'DELETED'] as const).map((type) => ({
  type,
  prefix: bytesOf(`{"type":"${type}","object":`),
}))
const CLOSE = 125

/**
 * Makes objects of what a server sends about one kind, with as little work and memory as they need before
 * someone reads them.
 */
export class ObjectReader {
  readonly #shared = new SharedTexts()
  readonly #decoder = new TextDecoder()
  readonly #encoder = new TextEncoder()
  #namespace = ''

  /** `undefined` for a line that has to be parsed to be understood, or is about something else. */
  line(bytes: Uint8Array): ObjectLine | undefined {
    const found = PREFIXES.find(({ prefix }) => isText(bytes, 0, prefix.length, prefix))
    if (!found) return undefined
    const last = bytes.length - 1
    if (bytes[last] !== CLOSE) return undefined
    const object = this.#scan(bytes, found.prefix.length, last)
    return object && { type: found.type, object }
  }

  /** The same from a parsed object. */
  object(object: KubernetesObject): ServedObject {
    const bytes = this.#encoder.encode(JSON.stringify(object))
    return this.#scan(bytes, 0, bytes.length) ?? new ServedObject(identityOf(object), { bytes })
  }

  #scan(bytes: Uint8Array, start: number, end: number): ServedObject | undefined {
    const found = scanObject(bytes, start)
    if (!found || found.end !== end) return undefined
    const text = (span: Span): string => this.#decoder.decode(bytes.subarray(span[0], span[1]))
    const namespace = text(found.namespace)
    // Objects that follow each other are mostly of one namespace: they share its name.
    if (namespace !== this.#namespace) this.#namespace = namespace
    const identity = {
      name: text(found.name),
      namespace: this.#namespace,
      uid: text(found.uid),
      resourceVersion: text(found.resourceVersion),
    }
    return new ServedObject(identity, this.#text(bytes, start, end, found.fields))
  }

  /** A copy of the text without what is shared. */
  #text(bytes: Uint8Array, start: number, end: number, fields: readonly number[]): ObjectText {
    const shared: { at: number; text: string }[] = []
    const spans: Span[] = []
    let left = 0
    for (let index = 0; index < fields.length; index += 2) {
      const [from, to] = [fields[index]!, fields[index + 1]!]
      const text = this.#shared.get(bytes, from, to)
      if (text === undefined) continue
      shared.push({ at: from - start - left, text })
      spans.push([from, to])
      left += to - from
    }
    if (shared.length === 0) return { bytes: new Uint8Array(bytes.subarray(start, end)) }
    const own = new Uint8Array(end - start - left)
    let [from, at] = [start, 0]
    for (const [index, span] of spans.entries()) {
      own.set(bytes.subarray(from, span[0]), at)
      at = shared[index]!.at
      from = span[1]
    }
    own.set(bytes.subarray(from, end), at)
    return { bytes: own, shared }
  }
}
