/** An element with a due time. The heap maintains `heapIndex`, which is -1 while the element is not in the heap. */
export interface Delayed {
  due: number
  /** The order of elements that are due at the same time: the smaller goes first. */
  order: number
  heapIndex: number
}

/** A binary heap with the earliest on top, from which any element can be taken out. */
export class DelayHeap<E extends Delayed> {
  readonly #heap: E[] = []

  get size(): number {
    return this.#heap.length
  }

  first(): E | undefined {
    return this.#heap[0]
  }

  add(element: E): void {
    this.#heap.push(element)
    element.heapIndex = this.#heap.length - 1
    this.#up(element)
  }

  /** Takes the element out; does nothing if it is not in the heap. */
  remove(element: E): void {
    const index = element.heapIndex
    if (index < 0) return
    element.heapIndex = -1
    const last = this.#heap.pop()
    if (!last || last === element) return
    this.#heap[index] = last
    last.heapIndex = index
    this.#up(last)
    this.#down(last)
  }

  clear(): E[] {
    for (const element of this.#heap) element.heapIndex = -1
    return this.#heap.splice(0)
  }

  #up(element: E): void {
    const heap = this.#heap
    let index = element.heapIndex
    while (index > 0) {
      const parentIndex = (index - 1) >> 1
      const parent = heap[parentIndex]!
      if (!before(element, parent)) break
      heap[index] = parent
      parent.heapIndex = index
      index = parentIndex
    }
    heap[index] = element
    element.heapIndex = index
  }

  #down(element: E): void {
    const heap = this.#heap
    let index = element.heapIndex
    for (;;) {
      const left = 2 * index + 1
      if (left >= heap.length) break
      const right = left + 1
      const smaller = right < heap.length && before(heap[right]!, heap[left]!) ? right : left
      const child = heap[smaller]!
      if (!before(child, element)) break
      heap[index] = child
      child.heapIndex = index
      index = smaller
    }
    heap[index] = element
    element.heapIndex = index
  }
}

function before(a: Delayed, b: Delayed): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order)
}
