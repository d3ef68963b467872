import { ListValue, type Value } from './value.ts'

/** A list whose elements are already computed. */
export class ArrayList extends ListValue {
  readonly elements: readonly Value[]

  constructor(elements: readonly Value[]) {
    super()
    this.elements = elements
  }

  override get length(): number {
    return this.elements.length
  }

  override at(index: number): Value {
    return this.elements[index]!
  }

  override [Symbol.iterator](): Iterator<Value> {
    return this.elements[Symbol.iterator]()
  }
}

/** The accumulator of a loop that makes a list: no other expression sees it before the loop ends, so it grows in place. */
export class GrowingList extends ListValue {
  readonly #elements: Value[] = []

  override get length(): number {
    return this.#elements.length
  }

  override at(index: number): Value {
    return this.#elements[index]!
  }

  override concat(other: ListValue): ListValue {
    for (const element of other) this.#elements.push(element)
    return this
  }

  /** The list that has been made. */
  finish(): ListValue {
    return new ArrayList(this.#elements)
  }
}

/** A list of the elements of both. */
export function concatLists(a: ListValue, b: ListValue): ListValue {
  return a.concat(b) ?? new ArrayList([...a, ...b])
}
