/** Something that waits, with the Pod and the run of the shell that it belongs to. */
export interface QueueEntry {
  readonly pod: object
  readonly run: object
}

/**
 * A queue that is fair at each level: Pods take turns, in a Pod its runs take turns, and in a run the entry that has
 * waited longest comes first. A Pod with a thousand entries gets no more turns than a Pod with one.
 */
export class FairQueue<Entry extends QueueEntry> {
  readonly #pods = new Map<object, Map<object, Set<Entry>>>()
  size = 0

  add(entry: Entry): void {
    const runs = this.#pods.get(entry.pod) ?? new Map<object, Set<Entry>>()
    this.#pods.set(entry.pod, runs)
    const entries = runs.get(entry.run) ?? new Set()
    runs.set(entry.run, entries)
    if (entries.has(entry)) return
    entries.add(entry)
    this.size++
  }

  delete(entry: Entry): void {
    const runs = this.#pods.get(entry.pod)
    const entries = runs?.get(entry.run)
    if (!runs || !entries?.delete(entry)) return
    this.size--
    if (entries.size === 0) runs.delete(entry.run)
    if (runs.size === 0) this.#pods.delete(entry.pod)
  }

  /** Takes the entry whose turn it is. Its Pod, and its run in the Pod, come last from then on. */
  take(): Entry | undefined {
    for (const [pod, runs] of this.#pods) {
      for (const [run, entries] of runs) {
        for (const entry of entries) {
          this.#pods.delete(pod)
          this.#pods.set(pod, runs)
          runs.delete(run)
          runs.set(run, entries)
          this.delete(entry)
          return entry
        }
      }
    }
    return undefined
  }
}
