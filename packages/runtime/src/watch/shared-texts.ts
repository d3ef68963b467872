import { isText } from './scan-object.ts'

interface SharedText {
  readonly bytes: Uint8Array
  readonly text: string
}

/** More different ones than this are not worth looking for. */
const MOST = 1_024
/** Shorter ones are not worth a place of their own. */
const LEAST_BYTES = 100

/**
 * Keeps one copy of texts that many objects have in common: the managed fields of objects that one
 * controller writes are the same, and often a third of the object.
 */
export class SharedTexts {
  readonly #known = new Map<number, SharedText>()
  readonly #decoder = new TextDecoder()

  /** The text that stands there, the same string each time; `undefined` where sharing does not pay. */
  get(bytes: Uint8Array, start: number, end: number): string | undefined {
    if (end - start < LEAST_BYTES) return undefined
    const mark = markOf(bytes, start, end)
    const known = this.#known.get(mark)
    if (known && isText(bytes, start, end, known.bytes)) return known.text
    if (this.#known.size >= MOST) this.#known.clear()
    const own = bytes.slice(start, end)
    const text = this.#decoder.decode(own)
    this.#known.set(mark, { bytes: own, text })
    return text
  }
}

/** A number that seldom is the same for different texts. */
function markOf(bytes: Uint8Array, start: number, end: number): number {
  let mark = end - start
  for (let at = start; at < end; at += 7) mark = (Math.imul(mark, 31) + bytes[at]!) | 0
  return mark
}
