import { apiVersionOf, joinBytes, parseWithKeys, type AnyKind, type KubernetesObject } from '@homeostat/api'
import { bytesOf, isText, ObjectScanner, type SharedSpan, type TextSpan } from './scan-object.ts'
import { identityOf, ServedObject } from './served-object.ts'
import { SharedFields } from './shared-fields.ts'

/** A line of a watch that is about an object. */
export interface ObjectLine {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: ServedObject
}

const PREFIXES = (['ADDED', 'MODIFIED', 'DELETED'] as const).map((type) => ({
  type,
  prefix: bytesOf(`{"type":"${type}","object":`),
}))
/** How items of native kinds begin: their list has the apiVersion and kind. */
const UNNAMED = bytesOf('{"metadata":')
const CLOSE = 125
const ZERO = 48

/**
 * Creates objects from the bytes that a server sends about one kind, with as little work and memory as possible
 * before they are read.
 */
export class ObjectReader {
  readonly #fields = new SharedFields()
  readonly #scanner = new ObjectScanner(this.#fields)
  readonly #decoder = new TextDecoder()
  #scratch = new Uint8Array(8_192)
  #namespace = ''

  /** Reads a complete line. Returns `undefined` for a line that must be parsed, or that is not about an object. */
  line(bytes: Uint8Array): ObjectLine | undefined {
    const last = bytes.length - 1
    if (bytes[last] !== CLOSE || bytes[last - 1] !== CLOSE) return undefined
    for (const { type, prefix } of PREFIXES) {
      if (!isText(bytes, 0, prefix.length, prefix)) continue
      if (!this.#scanner.scan(bytes, prefix.length)) return undefined
      return { type, object: this.#scanned(bytes, prefix.length, last) }
    }
    return undefined
  }

  /** The same for an item of a list, which may lack its apiVersion and kind. */
  item(bytes: Uint8Array, kind: AnyKind): ServedObject {
    const isUnnamed = isText(bytes, 0, UNNAMED.length, UNNAMED)
    const named = isUnnamed ? joinBytes([beginningOf(kind), bytes.subarray(1)]) : bytes
    if (this.#scanner.scan(named, 0)) return this.#scanned(named, 0, named.length)
    const object = parseWithKeys(this.#decoder.decode(named)) as KubernetesObject
    return this.object(object.kind ? object : { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind })
  }

  /** The same for a parsed object, which is not changed. */
  object(object: KubernetesObject): ServedObject {
    this.#fields.begin()
    let shares = false
    const managedFields = object.metadata.managedFields?.map((manager) => {
      const { fieldsV1 } = manager as { fieldsV1?: unknown }
      const shared = fieldsV1 ? this.#fields.ofText(JSON.stringify(fieldsV1)) : undefined
      if (!shared) return manager
      shares = true
      return { ...manager, fieldsV1: shared.number }
    })
    const whole = JSON.stringify(object)
    const identity = identityOf(object)
    if (!shares) return ServedObject.ofText(identity, whole, whole.length)
    const text = JSON.stringify({ ...object, metadata: { ...object.metadata, managedFields } })
    return ServedObject.ofText(identity, text, whole.length, this.#fields.table)
  }

  #scanned(bytes: Uint8Array, start: number, end: number): ServedObject {
    const { name, namespace, uid, resourceVersion, metadata, shared } = this.#scanner
    const left = this.#leaveOutShared(bytes, start, end)
    const text = this.#decoder.decode(left)
    // Where each character is one byte, the parts are cut from the text, which is kept anyway.
    const plain = text.length === left.length
    const part = (span: TextSpan): string => {
      if (span.start === 0) return ''
      if (!plain) return this.#decoder.decode(bytes.subarray(span.start, span.end))
      return text.slice(placeOf(span.start, start, shared), placeOf(span.end, start, shared))
    }
    // Objects that follow each other are mostly of one namespace: they share its name.
    const ownNamespace = part(namespace)
    if (ownNamespace !== this.#namespace) this.#namespace = ownNamespace
    return ServedObject.ofText(
      {
        name: part(name),
        namespace: this.#namespace,
        uid: part(uid),
        resourceVersion: part(resourceVersion),
      },
      text,
      end - start,
      shared.length > 0 ? this.#fields.table : undefined,
      plain ? [placeOf(metadata.start, start, shared), placeOf(metadata.end, start, shared)] : undefined,
    )
  }

  /** The bytes of the object, with numbers in place of the shared values. Valid until the next call. */
  #leaveOutShared(bytes: Uint8Array, start: number, end: number): Uint8Array {
    const { shared } = this.#scanner
    if (shared.length === 0) return bytes.subarray(start, end)
    if (this.#scratch.length < end - start) this.#scratch = new Uint8Array(2 * (end - start))
    const scratch = this.#scratch
    let [from, at] = [start, 0]
    for (const span of shared) {
      scratch.set(bytes.subarray(from, span.start), at)
      at += span.start - from + digits(span.number)
      for (let digit = 1, rest = span.number; digit <= digits(span.number); digit++) {
        scratch[at - digit] = ZERO + (rest % 10)
        rest = Math.floor(rest / 10)
      }
      from = span.end
    }
    scratch.set(bytes.subarray(from, end), at)
    return scratch.subarray(0, at + end - from)
  }
}

/** Translates an offset in the bytes of an object to its text, in which numbers replace the shared values. */
function placeOf(at: number, start: number, shared: readonly SharedSpan[]): number {
  let moved = start
  for (const { start, end, number } of shared) {
    if (start > at) break
    moved += end - start - digits(number)
  }
  return at - moved
}

function beginningOf(kind: AnyKind): Uint8Array {
  return bytesOf(`{"apiVersion":"${apiVersionOf(kind)}","kind":"${kind.kind}",`)
}

/** How many digits a number from 0 to 9,999 has. */
function digits(number: number): number {
  return number < 10 ? 1 : number < 100 ? 2 : number < 1_000 ? 3 : 4
}
