import { LONGEST_VALUE } from '../expansion/expansion-scope.ts'
import { ShellFailure } from '../shell-failure.ts'

interface Variable {
  readonly value: string | undefined
  readonly exported: boolean
  readonly readOnly: boolean
}

/** How many variables a shell may have. */
const MOST_VARIABLES = 100_000

/** The variables of a shell, with those that are local to the functions that run. */
export class Variables {
  readonly #variables = new Map<string, Variable>()
  /** For each function that runs, what its locals hid. */
  readonly #hidden: Map<string, Variable | undefined>[] = []

  get(name: string): string | undefined {
    return this.#variables.get(name)?.value
  }

  set(name: string, value: string | undefined, marks: { exported?: boolean; readOnly?: boolean } = {}): void {
    const before = this.#variables.get(name)
    if (before?.readOnly) throw new ShellFailure(`${name}: is read only`)
    if (value !== undefined && value.length > LONGEST_VALUE)
      throw new ShellFailure(`${name}: the value is too long`)
    if (!before && this.#variables.size >= MOST_VARIABLES) throw new ShellFailure('too many variables')
    this.#variables.set(name, { exported: false, readOnly: false, ...before, value, ...marks })
  }

  /** Adds a mark and leaves the value. */
  mark(name: string, marks: { exported?: boolean; readOnly?: boolean }): void {
    const before = this.#variables.get(name)
    this.#variables.set(name, { value: undefined, exported: false, readOnly: false, ...before, ...marks })
  }

  unset(name: string): void {
    if (this.#variables.get(name)?.readOnly) throw new ShellFailure(`${name}: is read only`)
    this.#variables.delete(name)
  }

  /** Makes a variable local to the function that runs; false outside of any. It keeps its value. */
  local(name: string): boolean {
    const hidden = this.#hidden.at(-1)
    if (!hidden) return false
    if (!hidden.has(name)) hidden.set(name, this.#variables.get(name))
    return true
  }

  /** Runs with variables that are gone afterwards, as they are with a function's locals. */
  async scoped<T>(work: () => Promise<T>): Promise<T> {
    const hidden = new Map<string, Variable | undefined>()
    this.#hidden.push(hidden)
    try {
      return await work()
    } finally {
      this.#hidden.pop()
      for (const [name, before] of hidden) {
        if (before) this.#variables.set(name, before)
        else this.#variables.delete(name)
      }
    }
  }

  /** What commands find in their environment. */
  exported(): Record<string, string> {
    const env = Object.create(null) as Record<string, string>
    for (const [name, { value, exported }] of this.#variables)
      if (exported && value !== undefined) env[name] = value
    return env
  }

  entries(): [string, Variable][] {
    return [...this.#variables].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  clone(): Variables {
    const copy = new Variables()
    for (const [name, variable] of this.#variables) copy.#variables.set(name, variable)
    // So that `local` is known in a subshell of a function too.
    for (let depth = 0; depth < this.#hidden.length; depth++) copy.#hidden.push(new Map())
    return copy
  }
}
