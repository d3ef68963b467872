/** The state of an object: absent, or written the n-th time with the resourceVersion of the answer. */
export type State = { readonly n: number; readonly version: number } | undefined

/** The facts about one object that the clients with an answer know. */
interface Known {
  acknowledged: State
  /** The version of the last write that was acknowledged, deletions aside: theirs is not answered. */
  version: number
  /** A write that was sent and not answered: it may have happened. Absent means a deletion. */
  unanswered?: { readonly n: number | undefined } | undefined
  /** The latest that a watch told. */
  told?: { readonly version: number; readonly n: number | undefined } | undefined
}

/** The states of each object that clients have seen, to compare with the state of a server after it was killed. */
export class Ledger {
  readonly #known = new Map<string, Known>()
  /** The highest version that a client has seen. */
  #highest = 0
  writes = 0

  stateOf(name: string): State {
    return this.#of(name).acknowledged
  }

  /** A write goes out; `n` is undefined for a deletion. */
  sent(name: string, n: number | undefined): void {
    this.#of(name).unanswered = { n }
  }

  /** The write was answered, with the state that it left. */
  answered(name: string, state: State): void {
    const known = this.#of(name)
    known.unanswered = undefined
    known.acknowledged = state
    known.version = state?.version ?? known.version
    this.#highest = Math.max(this.#highest, known.version)
    this.writes++
  }

  /** A watch reported the object. */
  told(name: string, version: number, n: number | undefined): void {
    this.#of(name).told = { version, n }
    this.#highest = Math.max(this.#highest, version)
  }

  /**
   * Holds a list, taken after the server was killed and started again, against what is known; then goes on from it.
   * Throws an `Error` that names what was lost, came back, or is not whole.
   */
  check(list: { metadata: { resourceVersion: string }; items: readonly any[] }): void {
    const revision = Number(list.metadata.resourceVersion)
    if (revision < this.#highest) {
      throw new Error(
        `the server is at version ${revision}, but ${this.#highest} was seen before it was killed`,
      )
    }
    const versions = new Set<number>()
    const found = new Map<string, State>()
    for (const item of list.items) {
      const version = Number(item.metadata.resourceVersion)
      const { name } = item.metadata
      if (version > revision || versions.has(version)) throw new Error(`${name} has version ${version} amiss`)
      versions.add(version)
      const n = Number(item.data.n)
      if (item.data.text !== textOf(name, n))
        throw new Error(`${name} is not whole: ${JSON.stringify(item).slice(0, 300)}`)
      found.set(name, { n, version })
    }
    for (const name of found.keys()) {
      if (!this.#known.has(name)) throw new Error(`${name} is there, though no client made it`)
    }
    for (const [name, known] of this.#known) {
      this.#checkOne(name, known, found.get(name))
      known.acknowledged = found.get(name)
      known.version = known.acknowledged?.version ?? known.version
      known.unanswered = undefined
      known.told = undefined
    }
    this.#highest = revision
  }

  #checkOne(name: string, { acknowledged, version, unanswered, told }: Known, found: State): void {
    const asAcknowledged = found?.n === acknowledged?.n && found?.version === acknowledged?.version
    const asUnanswered = unanswered !== undefined && found?.n === unanswered.n
    if (!asAcknowledged && !asUnanswered) {
      const shown = (state: unknown): string => JSON.stringify(state) ?? 'absent'
      throw new Error(
        `${name} is ${shown(found)}; it was acknowledged as ${shown(acknowledged)}, and unanswered was ${shown(unanswered)}`,
      )
    }
    if (told && told.n !== undefined && found && found.version < told.version) {
      throw new Error(`${name} is at version ${found.version}, but a watch has reported ${told.version}`)
    }
    if (told && told.n !== found?.n && !asUnanswered && told.version > version) {
      throw new Error(`${name} is ${found?.n}, but a watch has reported ${told.n}`)
    }
  }

  #of(name: string): Known {
    let known = this.#known.get(name)
    if (!known) this.#known.set(name, (known = { acknowledged: undefined, version: 0 }))
    return known
  }
}

/** The text in the n-th write of an object. Its length varies up to 40 KB. */
export function textOf(name: string, n: number): string {
  return `${name}:${n};`.repeat(1 + ((n * 7_919) % 40) ** 2)
}
