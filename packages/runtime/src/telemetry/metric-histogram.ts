import { seriesHasLabels, formatValue, labelText, type Labels } from './metric-family.ts'

interface Series {
  readonly labels: Labels
  /** How many observations are in each bucket; the last entry counts those above all buckets. */
  readonly counts: number[]
  sum: number
}

/** From five milliseconds to ten seconds: the usual durations of requests and reconciles. */
const DEFAULT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The distribution of values: a count for each bucket, their sum and their number. */
export class Histogram {
  readonly #name: string
  readonly #buckets: readonly number[]
  readonly #series = new Map<string, Series>()

  constructor(name: string, buckets: readonly number[] = DEFAULT_BUCKETS) {
    this.#name = name
    this.#buckets = [...buckets].sort((a, b) => a - b)
  }

  observe(value: number, labels: Labels = {}): void {
    this.with(labels)(value)
  }

  /** A function that observes values with these labels, for callers that do so often. */
  with(labels: Labels): (value: number) => void {
    const text = labelText(this.#name, labels)
    let series = this.#series.get(text)
    if (!series) {
      series = { labels: { ...labels }, counts: Array(this.#buckets.length + 1).fill(0), sum: 0 }
      this.#series.set(text, series)
    }
    const { counts } = series
    return (value) => {
      let bucket = 0
      while (bucket < this.#buckets.length && value > this.#buckets[bucket]!) bucket++
      counts[bucket]!++
      series.sum += value
    }
  }

  /** Removes every series that has these labels. */
  remove(labels: Labels): void {
    for (const [text, series] of this.#series)
      if (seriesHasLabels(series.labels, labels)) this.#series.delete(text)
  }

  *lines(): Generator<string> {
    for (const [text, { labels, counts, sum }] of this.#series) {
      let count = 0
      for (const [index, limit] of [...this.#buckets, Number.POSITIVE_INFINITY].entries()) {
        count += counts[index]!
        yield `${this.#name}_bucket${labelText(this.#name, { ...labels, le: formatValue(limit) })} ${count}`
      }
      yield `${this.#name}_sum${text} ${formatValue(sum)}`
      yield `${this.#name}_count${text} ${count}`
    }
  }
}
