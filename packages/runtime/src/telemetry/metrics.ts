import { HomeostatError } from '@homeostat/api'
import { Family, type Collect, type Labels } from './metric-family.ts'
import { Histogram } from './metric-histogram.ts'

/** A number that only grows. */
export interface Counter {
  add(amount?: number, labels?: Labels): void
  /** Removes every series that has these labels. */
  remove(labels: Labels): void
}

/** A number that goes up and down. */
export interface Gauge {
  set(value: number, labels?: Labels): void
  add(amount: number, labels?: Labels): void
  /** Removes every series that has these labels: `{ name: 'x' }` removes it for each value of the others. */
  remove(labels: Labels): void
}

/** Where metrics come from in a reconcile. The same name returns the same metric each time. */
export interface Metrics {
  counter(name: string, help: string): Counter
  gauge(name: string, help: string): Gauge
  histogram(name: string, help: string, options?: { buckets?: readonly number[] | undefined }): Histogram
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
type Type = 'counter' | 'gauge' | 'histogram'

/**
 * All metrics of a process, and the page that shows them. A name belongs to one metric of one type: a
 * second use with another type is an error.
 */
export class MetricsRegistry implements Metrics {
  readonly #metrics = new Map<string, { type: Type; help: string; metric: Family | Histogram }>()

  counter(name: string, help: string): Family {
    return this.#get(name, 'counter', help, () => new Family(name))
  }

  gauge(name: string, help: string): Family {
    return this.#get(name, 'gauge', help, () => new Family(name))
  }

  histogram(
    name: string,
    help: string,
    options: { buckets?: readonly number[] | undefined } = {},
  ): Histogram {
    return this.#get(name, 'histogram', help, () => new Histogram(name, options.buckets))
  }

  /** Adds a metric whose values are read each time the page is requested, until the result is disposed of. */
  collect(name: string, help: string, type: 'counter' | 'gauge', collect: Collect): Disposable {
    return this.#get(name, type, help, () => new Family(name)).collect(collect)
  }

  /** The page in the text form that Prometheus reads, metrics by name. */
  page(): string {
    const lines: string[] = []
    for (const [name, { type, help, metric }] of [...this.#metrics].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const series = [...metric.lines()]
      if (series.length === 0) continue
      lines.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`)
      lines.push(`# TYPE ${name} ${type}`, ...series)
    }
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`
  }

  #get<M extends Family | Histogram>(name: string, type: Type, help: string, make: () => M): M {
    const known = this.#metrics.get(name)
    if (known?.type === type) return known.metric as M
    if (known) {
      throw new HomeostatError(
        'METRIC_TYPE_DIFFERS',
        `the metric ${name} is a ${known.type} and cannot be a ${type} as well: give one of them another name`,
      )
    }
    if (!NAME.test(name)) {
      throw new HomeostatError(
        'METRIC_NAME_INVALID',
        `${JSON.stringify(name)} is not a valid name for a metric: use letters, digits, _ and :, not starting with a digit`,
      )
    }
    const metric = make()
    this.#metrics.set(name, { type, help, metric })
    return metric
  }
}
