import type { ServedObject } from '../json/index.ts'

/** Returns the values that an object is found by: none, one or several. */
export type IndexFunction<O> = (object: O) => readonly string[] | string | undefined

/** The objects of one kind by the values that a function returns for each. */
export class ObjectIndex {
  readonly #valuesOf: (object: ServedObject) => readonly string[]
  readonly #objects = new Map<string, Set<ServedObject>>()
  readonly #values = new Map<ServedObject, readonly string[]>()

  constructor(valuesOf: (object: ServedObject) => readonly string[]) {
    this.#valuesOf = valuesOf
  }

  add(object: ServedObject): void {
    const values = this.#valuesOf(object)
    if (values.length === 0) return
    this.#values.set(object, values)
    for (const value of values) {
      const found = this.#objects.get(value)
      if (found) found.add(object)
      else this.#objects.set(value, new Set([object]))
    }
  }

  delete(object: ServedObject): void {
    for (const value of this.#values.get(object) ?? []) {
      const found = this.#objects.get(value)
      found?.delete(object)
      if (found?.size === 0) this.#objects.delete(value)
    }
    this.#values.delete(object)
  }

  /** The objects with this value, in no particular order. */
  get(value: string): ReadonlySet<ServedObject> {
    return this.#objects.get(value) ?? new Set()
  }

  /** Whether the function returns this value for an object that is not in the index. */
  matches(object: ServedObject, value: string): boolean {
    return this.#valuesOf(object).includes(value)
  }

  clear(): void {
    this.#objects.clear()
    this.#values.clear()
  }
}
