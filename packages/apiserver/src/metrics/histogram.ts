import { number, type Labels } from './exposition.ts'

/** Counts values by the upper bounds of buckets. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    let index = 0
    for (const bound of this.#bounds) {
      if (value <= bound) break
      index++
    }
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.#sum += value
  }

  /** Writes its series: the buckets, each of which includes the counts of those before it, the sum and the count. */
  write(write: (suffix: string, labels: Labels, value: number) => void, labels: Labels): void {
    let count = 0
    for (const [index, bound] of [...this.#bounds, Number.POSITIVE_INFINITY].entries()) {
      count += this.#counts[index] ?? 0
      write('_bucket', [...labels, ['le', number(bound)]], count)
    }
    write('_sum', labels, this.#sum)
    write('_count', labels, count)
  }
}

/** Bounds that grow by a factor. */
export function exponentialBounds(first: number, factor: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first * factor ** index)
}
