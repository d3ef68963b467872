import { deepFreeze, parseJson } from '@homeostat/api'
import { freezeWritten } from './freeze-written.ts'
import type { RecentValues } from './recent-values.ts'
import type { Stored, StoredValue } from './store.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The parts of a value that are kept besides its JSON. */
interface Gist {
  readonly apiVersion: string | undefined
  readonly labels: Readonly<Record<string, string>> | undefined
}

/**
 * An entry of the store. It is kept as JSON, which costs the garbage collector nothing, however many entries there
 * are. The parsed value is cached while it is in use (S27).
 */
export class Entry implements Stored {
  readonly key: string
  readonly revision: number
  readonly json: Uint8Array
  readonly #recent: RecentValues
  #value: StoredValue | undefined
  #gist: Gist | undefined
  /** Whether a client that reads the JSON gets exactly this value; undefined until a client asks. */
  #isPlain: boolean | undefined
  /** The turn of {@link RecentValues} in which the value was last used. */
  #turn = 0

  private constructor(key: string, revision: number, json: Uint8Array, recent: RecentValues) {
    this.key = key
    this.revision = revision
    this.json = json
    this.#recent = recent
  }

  /** Freezes the value. */
  static ofValue(key: string, revision: number, value: StoredValue, recent: RecentValues): Entry {
    const entry = new Entry(key, revision, encoder.encode(JSON.stringify(value)), recent)
    entry.#gist = gistOf(value)
    entry.#value = freezeWritten(value)
    entry.#use()
    return entry
  }

  static ofJson(key: string, revision: number, json: Uint8Array, recent: RecentValues): Entry {
    return new Entry(key, revision, json, recent)
  }

  get value(): StoredValue {
    const value = (this.#value ??= deepFreeze(parseJson(decoder.decode(this.json)) as StoredValue))
    if (this.#turn !== this.#recent.turn) this.#use()
    return value
  }

  get isShareable(): boolean {
    return this.#value !== undefined && (this.#isPlain ??= !hasLongNumber(this.json))
  }

  get apiVersion(): string | undefined {
    return (this.#gist ??= gistOf(this.value)).apiVersion
  }

  get labels(): Readonly<Record<string, string>> | undefined {
    return (this.#gist ??= gistOf(this.value)).labels
  }

  /** Whether the object is being deleted, and waits for finalizers or its grace period. */
  get deleting(): boolean {
    const { metadata } = this.value as { metadata?: { deletionTimestamp?: unknown } }
    return metadata?.deletionTimestamp !== undefined
  }

  forget(turn: number): void {
    if (this.#turn <= turn) this.#value = undefined
  }

  #use(): void {
    this.#recent.add(this)
    this.#turn = this.#recent.turn
  }
}

const [ZERO, NINE] = [0x30, 0x39]
/** The number of digits of the shortest number that JavaScript may round. */
const LONG = 16

/** Whether there may be a number that JavaScript rounds. It may also find digits inside of a text. */
function hasLongNumber(json: Uint8Array): boolean {
  // A row of this many digits includes at least one of the bytes that the loop looks at.
  for (let at = LONG - 1; at < json.length; at += LONG) {
    if (!isDigit(json[at])) continue
    let [start, end] = [at, at + 1]
    while (isDigit(json[start - 1])) start--
    while (isDigit(json[end])) end++
    if (end - start >= LONG) return true
  }
  return false
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

function gistOf(value: StoredValue): Gist {
  const { apiVersion, metadata } = value as Partial<Gist> & { metadata?: Partial<Gist> }
  return { apiVersion, labels: metadata?.labels }
}
