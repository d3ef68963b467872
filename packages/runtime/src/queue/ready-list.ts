/** An element that is ready to be handed out. The list maintains its links. */
export interface Ready {
  priority: number
  level: Level<this> | undefined
  previous: this | undefined
  next: this | undefined
}

/** All elements of one priority, in the order in which they were added. */
export interface Level<E> {
  readonly priority: number
  count: number
  first: E | undefined
  last: E | undefined
}

/** First in, first out within a priority; higher priorities first. Any element can be taken out. */
export class ReadyList<E extends Ready> {
  /** From the highest priority down. There are few levels, so a linear search is fastest. */
  readonly #levels: Level<E>[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How many wait in each priority. */
  *counts(): Generator<{ priority: number; count: number }> {
    for (const { priority, count } of this.#levels) yield { priority, count }
  }

  /** Puts the element behind all others of its priority. */
  add(element: E): void {
    const level = this.#level(element.priority)
    element.level = level
    element.previous = level.last
    if (level.last) level.last.next = element
    else level.first = element
    level.last = element
    level.count++
    this.#size++
  }

  /** Takes the element out; does nothing if it is not in the list. */
  remove(element: E): void {
    const { level, previous, next } = element
    if (!level) return
    if (previous) previous.next = next
    else level.first = next
    if (next) next.previous = previous
    else level.last = previous
    element.level = element.previous = element.next = undefined
    level.count--
    this.#size--
    if (level.count === 0 && level.priority !== 0) this.#levels.splice(this.#levels.indexOf(level), 1)
  }

  /** Takes out the one that has waited longest in the highest priority. */
  shift(): E | undefined {
    for (const { first } of this.#levels) {
      if (!first) continue
      this.remove(first)
      return first
    }
    return undefined
  }

  #level(priority: number): Level<E> {
    let index = 0
    for (; index < this.#levels.length; index++) {
      const level = this.#levels[index]!
      if (level.priority === priority) return level
      if (level.priority < priority) break
    }
    const level: Level<E> = { priority, count: 0, first: undefined, last: undefined }
    this.#levels.splice(index, 0, level)
    return level
  }
}
