import type { Entry } from './entry.ts'

/** A run is split in two when it grows beyond this. */
const LONGEST_RUN = 512

/** A place between entries: before the entry of an index in a run. */
interface Position {
  readonly at: number
  readonly index: number
}

const START: Position = { at: 0, index: 0 }

/**
 * Entries in the order of their keys, as runs of bounded length: adding one to many thousands moves a few hundred at
 * most. No run is empty.
 */
export class SortedEntries {
  readonly #runs: Entry[][] = []

  /** Adds an entry, or replaces the one of the same key. */
  put(entry: Entry): void {
    const at = this.#runOf(entry.key)
    const run = this.#runs[at]
    if (!run) {
      this.#runs.push([entry])
      return
    }
    const index = positionIn(run, entry.key)
    run.splice(index, run[index]?.key === entry.key ? 1 : 0, entry)
    if (run.length > LONGEST_RUN) this.#runs.splice(at + 1, 0, run.splice(LONGEST_RUN / 2))
  }

  /** Removes the entry of a key, if there is one. */
  delete(key: string): void {
    const at = this.#runOf(key)
    const run = this.#runs[at]
    if (!run) return
    const index = positionIn(run, key)
    if (run[index]?.key !== key) return
    run.splice(index, 1)
    if (run.length === 0) this.#runs.splice(at, 1)
  }

  /** How many entries there are. */
  get length(): number {
    return this.#between(START, this.#end)
  }

  get first(): Entry | undefined {
    return this.#runs[0]?.[0]
  }

  get last(): Entry | undefined {
    return this.#runs.at(-1)?.at(-1)
  }

  /**
   * The first entries whose key has the prefix and follows `after`, and how many more there are. Takes time for the
   * entries of the page, not for those around it.
   */
  page(prefix: string, after: string, limit: number): { entries: Entry[]; remaining: number } {
    const start = this.#position((key) => key < prefix || key <= after)
    const end = prefix === '' ? this.#end : this.#position((key) => key < prefix || key.startsWith(prefix))
    const count = this.#between(start, end)
    const wanted = Math.min(limit, count)
    const entries: Entry[] = []
    for (let { at, index } = start; entries.length < wanted; at++, index = 0) {
      const run = this.#runs[at] ?? []
      const stop = Math.min(run.length, index + wanted - entries.length)
      for (; index < stop; index++) entries.push(run[index] as Entry)
    }
    return { entries, remaining: count - entries.length }
  }

  /** A copy of the entries whose key has the prefix, in order. */
  withPrefix(prefix: string): Entry[] {
    return this.page(prefix, '', Infinity).entries
  }

  get #end(): Position {
    return { at: this.#runs.length, index: 0 }
  }

  /**
   * The first position whose key is not before. `isBefore` must hold for the keys up to some place, and for none after it.
   */
  #position(isBefore: (key: string) => boolean): Position {
    const after = firstIndex(this.#runs.length, (at) => !isBefore(this.#runs[at]?.[0]?.key ?? ''))
    const at = Math.max(0, after - 1)
    const run = this.#runs[at] ?? []
    const index = firstIndex(run.length, (place) => !isBefore(run[place]?.key ?? ''))
    return index < run.length ? { at, index } : { at: at + 1, index: 0 }
  }

  /** How many entries are from one position up to another; none where that is not after it. */
  #between(start: Position, end: Position): number {
    if (start.at > end.at || (start.at === end.at && start.index > end.index)) return 0
    let count = end.index - start.index
    for (let at = start.at; at < end.at; at++) count += this.#runs[at]?.length ?? 0
    return count
  }

  /** The run that a key belongs to: the last that does not begin after it. */
  #runOf(key: string): number {
    return Math.max(0, firstIndex(this.#runs.length, (at) => (this.#runs[at]?.[0]?.key ?? '') > key) - 1)
  }
}

/** Where in a run the key is, or would be. */
function positionIn(run: readonly Entry[], key: string): number {
  return firstIndex(run.length, (index) => (run[index]?.key ?? '') >= key)
}

/**
 * The first index for which the test holds; `length` where it holds for none. The test must hold for all indexes after the
 * first.
 */
function firstIndex(length: number, test: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}
