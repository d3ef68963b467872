import { describe, expect, test } from 'vitest'
import { MetricsRegistry } from './metrics.ts'

describe('the page', () => {
  test('shows each metric with its help, its type and its series, by name', () => {
    const metrics = new MetricsRegistry()
    metrics.gauge('queue_depth', 'Keys that wait.').set(3)
    const total = metrics.counter('calls_total', 'Calls.')
    total.add(1, { result: 'error', controller: 'at' })
    total.add(2, { controller: 'at', result: 'error' })
    total.add()
    expect(metrics.page()).toBe(
      [
        '# HELP calls_total Calls.',
        '# TYPE calls_total counter',
        'calls_total{controller="at",result="error"} 3',
        'calls_total 1',
        '# HELP queue_depth Keys that wait.',
        '# TYPE queue_depth gauge',
        'queue_depth 3',
        '',
      ].join('\n'),
    )
  })

  test('escapes what would end a line or a label', () => {
    const metrics = new MetricsRegistry()
    metrics.gauge('odd', 'Two\nlines \\ here.').set(1, { path: 'C:\\a "b"\nc' })
    expect(metrics.page()).toContain('# HELP odd Two\\nlines \\\\ here.\n')
    expect(metrics.page()).toContain('odd{path="C:\\\\a \\"b\\"\\nc"} 1\n')
  })

  test('shows nothing of a metric that has no series, and is empty without metrics', () => {
    const metrics = new MetricsRegistry()
    metrics.gauge('unused', 'Never set.')
    expect(metrics.page()).toBe('')
  })

  test('writes infinite and undefined values as Prometheus reads them', () => {
    const metrics = new MetricsRegistry()
    const gauge = metrics.gauge('extreme', 'x')
    gauge.set(Number.POSITIVE_INFINITY, { of: 'top' })
    gauge.set(Number.NEGATIVE_INFINITY, { of: 'bottom' })
    gauge.set(Number.NaN, { of: 'none' })
    expect(metrics.page()).toMatch(/top"} \+Inf\n.*bottom"} -Inf\n.*none"} NaN\n/)
  })

  test('reads collected numbers at the time it is asked for, until that is disposed of', () => {
    const metrics = new MetricsRegistry()
    let depth = 1
    const collecting = metrics.collect('depth', 'x', 'gauge', (report) => report(depth, { name: 'at' }))
    depth = 7
    expect(metrics.page()).toContain('depth{name="at"} 7\n')
    collecting[Symbol.dispose]()
    expect(metrics.page()).toBe('')
  })
})

describe('histograms', () => {
  test('count each value in its bucket and all above, and keep sum and number', () => {
    const metrics = new MetricsRegistry()
    const histogram = metrics.histogram('seconds', 'x', { buckets: [1, 0.1] })
    for (const value of [0.1, 0.5, 2]) histogram.observe(value, { controller: 'at' })
    expect(metrics.page().split('\n').slice(2, -1)).toEqual([
      'seconds_bucket{controller="at",le="0.1"} 1',
      'seconds_bucket{controller="at",le="1"} 2',
      'seconds_bucket{controller="at",le="+Inf"} 3',
      'seconds_sum{controller="at"} 2.6',
      'seconds_count{controller="at"} 3',
    ])
  })
})

describe('metrics by name', () => {
  test('the same name gives the same metric, so that a reconcile can ask for it each time', () => {
    const metrics = new MetricsRegistry()
    metrics.counter('total', 'x').add()
    metrics.counter('total', 'x').add()
    expect(metrics.page()).toContain('total 2\n')
  })

  test('another type under the same name is refused', () => {
    const metrics = new MetricsRegistry()
    metrics.counter('total', 'x')
    expect(() => metrics.gauge('total', 'x')).toThrow(/total is a counter and cannot be a gauge/)
  })

  test('names and labels that Prometheus cannot read are refused', () => {
    const metrics = new MetricsRegistry()
    expect(() => metrics.gauge('my-gauge', 'x')).toThrow(/"my-gauge" is not a valid name/)
    expect(() => metrics.gauge('fine', 'x').set(1, { 'app.kubernetes.io/name': 'x' })).toThrow(
      /not a valid label/,
    )
  })

  test('removing by some labels removes every series that has them', () => {
    const metrics = new MetricsRegistry()
    const gauge = metrics.gauge('status', 'x')
    for (const name of ['a', 'b']) {
      for (const status of ['Healthy', 'NotReady']) gauge.set(1, { name, status })
    }
    gauge.remove({ name: 'a' })
    expect(metrics.page().match(/name="(.)"/g)).toEqual(['name="b"', 'name="b"'])
  })
})
