import type { Exposition, Labels } from './exposition.ts'
import { exponentialBounds, Histogram } from './histogram.ts'

const LATENCIES = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
]
const SLI_LATENCIES = LATENCIES.slice(2)
const RESPONSE_SIZES = exponentialBounds(1000, 10, 7)

/** The labels of requests that are counted together. */
export interface RequestLabels {
  /** The verb that metrics use, such as `POST`, `LIST` or `APPLY`. */
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly scope: string
  readonly component: string
  /** Empty for a request that is not a dry run. */
  readonly dryRun: string
}

/** Requests of the same labels. */
export class RequestSeries {
  readonly labels: RequestLabels
  readonly codes = new Map<number, number>()
  readonly latencies = new Histogram(LATENCIES)
  readonly sliLatencies = new Histogram(SLI_LATENCIES)
  readonly sizes = new Histogram(RESPONSE_SIZES)
  hasSizes = false
  /** Whether the requests count for service levels: neither dry runs nor requests that last as long as clients want. */
  readonly hasSli: boolean

  constructor(labels: RequestLabels) {
    this.labels = labels
    this.hasSli = labels.dryRun === '' && labels.verb !== 'WATCH'
  }

  /** Counts a request that has ended. `size` is given only for reads. */
  count(code: number, seconds: number, size?: number): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1)
    this.latencies.observe(seconds)
    if (this.hasSli) this.sliLatencies.observe(seconds)
    if (size === undefined) return
    this.hasSizes = true
    this.sizes.observe(size)
  }
}

/** Counts the requests that have ended, by their labels. */
export class RequestMetrics {
  readonly #series = new Map<string, RequestSeries>()

  /** The series of a key, which stands for a combination of labels. `labels` is called only for a new key. */
  series(key: string, labels: () => RequestLabels): RequestSeries {
    let series = this.#series.get(key)
    if (!series) this.#series.set(key, (series = new RequestSeries(labels())))
    return series
  }

  write(to: Exposition): void {
    const all = [...this.#series.values()]
    const total = to.family(
      'apiserver_request_total',
      'counter',
      '[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
    )
    const counted = all.flatMap(({ labels, codes }) =>
      [...codes].map(([code, count]) => ({ labels: sortedLabels(labels, { code: String(code) }), count })),
    )
    for (const { labels, count } of counted.sort(byLabels)) total('', labels, count)
    this.#histogram(to, all, 'latencies', true, [
      'apiserver_request_duration_seconds',
      '[STABLE] Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
    ])
    const real = all.filter(({ hasSli }) => hasSli)
    this.#histogram(to, real, 'sliLatencies', false, [
      'apiserver_request_sli_duration_seconds',
      '[ALPHA] Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
    ])
    const read = all.filter(({ hasSizes }) => hasSizes)
    this.#histogram(to, read, 'sizes', false, [
      'apiserver_response_sizes',
      '[STABLE] Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
    ])
  }

  #histogram(
    to: Exposition,
    all: readonly RequestSeries[],
    which: 'latencies' | 'sliLatencies' | 'sizes',
    withDryRun: boolean,
    [name, help]: readonly [name: string, help: string],
  ): void {
    const write = to.family(name, 'histogram', help)
    const series = all.map((one) => ({
      labels: sortedLabels(withDryRun ? one.labels : { ...one.labels, dryRun: undefined }),
      histogram: one[which],
    }))
    for (const { labels, histogram } of series.sort(byLabels)) histogram.write(write, labels)
  }
}

function sortedLabels(
  { dryRun, ...labels }: Omit<RequestLabels, 'dryRun'> & { readonly dryRun: string | undefined },
  more: Readonly<Record<string, string>> = {},
): Labels {
  const all = { ...labels, ...(dryRun === undefined ? {} : { dry_run: dryRun }), ...more }
  return Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))
}

function byLabels(a: { readonly labels: Labels }, b: { readonly labels: Labels }): number {
  const [one, other] = [a.labels.join(), b.labels.join()]
  return one < other ? -1 : Number(one > other)
}
