import type { Exposition, Labels } from './exposition.ts'
import { Histogram } from './histogram.ts'

/** A number that is counted up, or down. */
export interface Counter {
  count: number
}

/** Numbers of one family, by the values of its labels. */
export class Counters {
  readonly #name: string
  readonly #help: string
  readonly #labels: readonly string[]
  readonly #type: 'counter' | 'gauge'
  readonly #counts = new Map<string, { readonly values: readonly string[]; readonly counter: Counter }>()

  /** The labels in the order of their names. */
  constructor(
    name: string,
    help: string,
    labels: readonly string[] = [],
    type: 'counter' | 'gauge' = 'counter',
  ) {
    this.#name = name
    this.#help = help
    this.#labels = labels
    this.#type = type
  }

  /** The counter for these values of the labels. A caller that counts often keeps it. */
  of(...values: readonly string[]): Counter {
    const key = values.join('\n')
    let series = this.#counts.get(key)
    if (!series) this.#counts.set(key, (series = { values, counter: { count: 0 } }))
    return series.counter
  }

  write(to: Exposition): void {
    const write = to.family(this.#name, this.#type, this.#help)
    for (const key of [...this.#counts.keys()].sort()) {
      const series = this.#counts.get(key)
      if (series) write('', labelled(this.#labels, series.values), series.counter.count)
    }
  }
}

/** Histograms of one family, by the values of its labels. */
export class Histograms {
  readonly #name: string
  readonly #help: string
  readonly #labels: readonly string[]
  readonly #bounds: readonly number[]
  readonly #series = new Map<string, { readonly values: readonly string[]; readonly histogram: Histogram }>()

  constructor(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    this.#name = name
    this.#help = help
    this.#labels = labels
    this.#bounds = bounds
  }

  of(...values: readonly string[]): Histogram {
    const key = values.join('\n')
    let series = this.#series.get(key)
    if (!series) this.#series.set(key, (series = { values, histogram: new Histogram(this.#bounds) }))
    return series.histogram
  }

  write(to: Exposition): void {
    const write = to.family(this.#name, 'histogram', this.#help)
    for (const key of [...this.#series.keys()].sort()) {
      const series = this.#series.get(key)
      series?.histogram.write(write, labelled(this.#labels, series.values))
    }
  }
}

function labelled(names: readonly string[], values: readonly string[]): Labels {
  return names.map((name, index) => [name, values[index] ?? ''] as const)
}
