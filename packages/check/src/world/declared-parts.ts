import type { AnyKind, ObjectOf } from '@homeostat/api'
import type { TestEnvironment } from '@homeostat/apiserver/testing'

type Registry = TestEnvironment['server']['registry']
type Change = Parameters<Parameters<Registry['observe']>[0]>[0]

/** A stand-in, in this process, for a system outside of the cluster that the operator changes. */
export interface ExternalSystem {
  readonly name: string
  /** Resets the system to its first state. The checker calls it before each story. */
  reset(): unknown
  /** Returns everything in the system that the operator controls, as JSON. */
  read(): unknown
}

/** How external systems are named in states. */
export const EXTERNAL = 'external '

/** The objects of a world, for an invariant. */
export interface InvariantWorld {
  /** All objects of a kind that are there now. */
  list<K extends AnyKind>(kind: K): readonly ObjectOf<K>[]
}

/** Returns the problem, or `undefined`. The checker calls it after each write of any client. */
export type Invariant = (world: InvariantWorld) => string | undefined

/** An invariant that did not hold. */
export interface Violation {
  readonly name: string
  readonly message: string
}

/** Checks the invariants of the author after each write. */
export class InvariantWatch implements InvariantWorld {
  readonly #invariants: readonly (readonly [name: string, holds: Invariant])[]
  readonly #entries = new Map<string, Change>()
  #violation: Violation | undefined

  constructor(invariants: Readonly<Record<string, Invariant>>, registry: Registry) {
    this.#invariants = Object.entries(invariants)
    if (this.#invariants.length > 0) registry.observe((change) => this.#note(change))
  }

  /** The first invariant since the last call that did not hold. */
  take(): Violation | undefined {
    const violation = this.#violation
    this.#violation = undefined
    return violation
  }

  list<K extends AnyKind>({ group, plural }: K): readonly ObjectOf<K>[] {
    const decoder = new TextDecoder()
    return [...this.#entries.values()]
      .filter(({ resource }) => resource.group === group && resource.plural === plural)
      .map(({ entry }) => JSON.parse(decoder.decode(entry?.json)))
  }

  #note(change: Change): void {
    const { resource, key, entry } = change
    const id = `${resource.group}/${resource.plural} ${key}`
    if (entry) this.#entries.set(id, change)
    else this.#entries.delete(id)
    for (const [name, holds] of this.#invariants) {
      if (this.#violation) return
      const message = holds(this)
      if (message !== undefined) this.#violation = { name, message }
    }
  }
}
