import type { Entry } from './entry.ts'

/** A run is split in two when it grows beyond this. */
const LONGEST_RUN = 512

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

  /** A copy of the entries whose key has the prefix, in order. */
  withPrefix(prefix: string): Entry[] {
    if (prefix === '') return this.#runs.flat()
    const found: Entry[] = []
    for (let at = this.#runOf(prefix); at < this.#runs.length; at++) {
      const run = this.#runs[at] as Entry[]
      for (let index = found.length > 0 ? 0 : positionIn(run, prefix); index < run.length; index++) {
        const entry = run[index] as Entry
        if (!entry.key.startsWith(prefix)) return found
        found.push(entry)
      }
    }
    return found
  }

  /** The run that a key belongs to: the last that does not begin after it. */
  #runOf(key: string): number {
    let low = 0
    let high = this.#runs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#runs[middle]?.[0]?.key ?? '') <= key) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}

/** Where in a run the key is, or would be. */
function positionIn(run: readonly Entry[], key: string): number {
  let low = 0
  let high = run.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((run[middle]?.key ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}
