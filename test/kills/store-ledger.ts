import type { Store } from '../../packages/apiserver/src/storage/store.ts'

export const COLLECTION = 'things'
/** How many keys there are. */
export const KEYS = 40

/** How a writer works. */
export interface WriterOptions {
  readonly seed: number
  /** How long a value is. */
  readonly bytes: number
  readonly checkpointPages?: number | undefined
  readonly maxBytes?: number | undefined
  readonly reserveBytes?: number | undefined
}

/** Changes by their keys: the revision, or null for a deletion. */
type Changes = readonly (readonly [key: string, revision: number | null])[]

/**
 * A line that a writer prints: the next changes, that all of them are acknowledged, or the changes that are
 * acknowledged on a full disk.
 */
export interface Line {
  readonly will?: Changes
  readonly did?: number
  readonly full?: Changes
}

/** The revisions of each key that a writer has seen, to compare with the state of the store after its process was killed. */
export class StoreLedger {
  readonly #acknowledged = new Map<string, number>()
  /** The changes that were on their way: each may have been made, with all before it. */
  #open: Changes = []
  #revision = 1
  writes = 0
  /** How often the disk was full. */
  full = 0

  take({ will, did, full }: Line): void {
    if (will) this.#open = will
    if (did !== undefined) this.#acknowledge(this.#open, did)
    if (!full) return
    this.full++
    this.#acknowledge(full, this.#revision + full.length)
  }

  /** Throws an `Error` that names what is lost, came back or is not whole. Goes on from what is there. */
  check(store: Store): void {
    if (store.revision < this.#revision) {
      throw new Error(`the store is at revision ${store.revision}, but ${this.#revision} was acknowledged`)
    }
    const found = new Map(store.snapshot({ collection: COLLECTION }).map((entry) => [entry.key, entry]))
    const open = new Map(this.#open)
    for (let index = 0; index < KEYS; index++) {
      const key = `k${index}`
      const entry = found.get(key)
      const allowed = [this.#acknowledged.get(key), ...(open.has(key) ? [open.get(key) ?? undefined] : [])]
      if (!allowed.includes(entry?.revision)) {
        throw new Error(`${key} is at revision ${entry?.revision}; allowed are ${allowed.join(' and ')}`)
      }
      if (!entry) continue
      const { text, ...rest } = entry.value as { text: string }
      const { text: expected } = valueOf(key, entry.revision, text.length)
      if (text !== expected || JSON.stringify(rest) !== JSON.stringify({ key, revision: entry.revision })) {
        throw new Error(`${key} is not whole`)
      }
    }
    if (found.size > KEYS) throw new Error('the store holds keys that were never written')
  }

  /** Takes what the store holds for what is acknowledged, after it was checked. */
  goOn(store: Store): void {
    this.#acknowledged.clear()
    for (const { key, revision } of store.snapshot({ collection: COLLECTION })) {
      this.#acknowledged.set(key, revision)
    }
    this.#open = []
    this.#revision = store.revision
  }

  #acknowledge(changes: Changes, revision: number): void {
    for (const [key, made] of changes) {
      if (made === null) this.#acknowledged.delete(key)
      else this.#acknowledged.set(key, made)
    }
    this.writes += changes.length
    this.#open = []
    this.#revision = Math.max(this.#revision, revision)
  }
}

/** The value of a key at a revision. */
export function valueOf(
  key: string,
  revision: number,
  bytes: number,
): { key: string; revision: number; text: string } {
  const part = `${key}:${revision};`
  return { key, revision, text: part.repeat(Math.ceil(bytes / part.length)).slice(0, bytes) }
}
