import { LONGEST_VALUE } from '../expansion/expansion-scope.ts'
import { ShellFailure } from '../process/shell-failure.ts'

interface Variable {
  readonly value: string | undefined
  readonly exported: boolean
  readonly readOnly: boolean
  /** The shell that counted its memory: a subshell shares the values that it was started with. */
  readonly owner: Variables
}

/** Counts bytes that are held; a negative number releases them. Fails where there are too many. */
type Allocate = (bytes: number) => void

/** The memory of a variable besides its value. */
const VARIABLE_WEIGHT = 64

/** How many variables a shell may have. */
const MOST_VARIABLES = 10_000

/** The variables of a shell, with those that are local to the functions that run. */
export class Variables {
  readonly #allocate: Allocate
  readonly #variables = new Map<string, Variable>()
  #held = 0
  /** For each running function, the variables that its locals hide. */
  readonly #hidden: Map<string, Variable | undefined>[] = []

  constructor(allocate: Allocate) {
    this.#allocate = allocate
  }

  get(name: string): string | undefined {
    return this.#variables.get(name)?.value
  }

  set(name: string, value: string | undefined, marks: { exported?: boolean; readOnly?: boolean } = {}): void {
    const before = this.#variables.get(name)
    if (before?.readOnly) throw new ShellFailure(`${name}: is read only`)
    if (value !== undefined && value.length > LONGEST_VALUE)
      throw new ShellFailure(`${name}: the value is too long`)
    if (!before && this.#variables.size >= MOST_VARIABLES) throw new ShellFailure('too many variables')
    this.#hold(sizeOf({ value, owner: this }, this) - sizeOf(before, this))
    this.#variables.set(name, { exported: false, readOnly: false, ...before, value, ...marks, owner: this })
  }

  /** Adds a mark and leaves the value. */
  mark(name: string, marks: { exported?: boolean; readOnly?: boolean }): void {
    const before = this.#variables.get(name)
    const empty = { value: undefined, exported: false, readOnly: false, owner: this }
    if (!before) this.#hold(VARIABLE_WEIGHT)
    this.#variables.set(name, { ...empty, ...before, ...marks })
  }

  unset(name: string): void {
    if (this.#variables.get(name)?.readOnly) throw new ShellFailure(`${name}: is read only`)
    this.#hold(-sizeOf(this.#variables.get(name), this))
    this.#variables.delete(name)
  }

  /** Makes a variable local to the function that runs; false outside of any. It keeps its value. */
  local(name: string): boolean {
    const hidden = this.#hidden.at(-1)
    if (!hidden) return false
    if (hidden.has(name)) return true
    const before = this.#variables.get(name)
    hidden.set(name, before)
    // The hidden variable still counts; the local one is counted separately.
    if (before?.owner === this) {
      this.#hold(sizeOf(before, this))
      this.#variables.set(name, { ...before })
    }
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
        this.#hold(-sizeOf(this.#variables.get(name), this))
        if (before) this.#variables.set(name, before)
        else this.#variables.delete(name)
      }
    }
  }

  /** The environment of commands: the exported variables. */
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
    const copy = new Variables(this.#allocate)
    for (const [name, variable] of this.#variables) copy.#variables.set(name, variable)
    // So that `local` is known in a subshell of a function too.
    for (let depth = 0; depth < this.#hidden.length; depth++) copy.#hidden.push(new Map())
    return copy
  }

  get size(): number {
    return this.#variables.size
  }

  /** Frees the memory of all variables, when the shell ends. */
  release(): void {
    this.#hold(-this.#held)
    this.#variables.clear()
  }

  #hold(bytes: number): void {
    if (bytes !== 0) this.#allocate(bytes)
    this.#held += bytes
  }
}

/** The memory of a variable, as a shell counts it. */
function sizeOf(variable: Pick<Variable, 'value' | 'owner'> | undefined, owner: Variables): number {
  return variable?.owner === owner ? VARIABLE_WEIGHT + (variable.value?.length ?? 0) : 0
}
