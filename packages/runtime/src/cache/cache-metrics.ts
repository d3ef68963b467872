import { isMetadataOnly } from '../requests/index.ts'
import type { Labels, MetricsRegistry } from '../telemetry/index.ts'
import type { KindInformer } from './kind-informer.ts'

/**
 * Reports how much a cache keeps of each kind, at the time when the page is read. `content` is `object` for whole
 * objects and `metadata` for those of which only metadata is kept.
 */
export function cacheMetrics(
  metrics: MetricsRegistry,
  informers: () => Iterable<KindInformer<any>>,
  labels: Labels = {},
): Disposable {
  const show = (name: string, help: string, value: (informer: KindInformer<any>) => number): Disposable =>
    metrics.collect(name, help, 'gauge', (report) => {
      for (const informer of informers()) report(value(informer), { ...labelsOf(informer), ...labels })
    })
  const shown = [
    show('homeostat_cache_objects', 'Objects that the cache keeps', ({ size }) => size),
    show('homeostat_cache_bytes', 'Length of the JSON of the objects that the cache keeps', (informer) => {
      return informer.length
    }),
  ]
  return { [Symbol.dispose]: () => shown.forEach((each) => each[Symbol.dispose]()) }
}

function labelsOf({ kind }: KindInformer<any>): Labels {
  const { group, version, plural: resource } = kind
  return { group, version, resource, content: isMetadataOnly(kind) ? 'metadata' : 'object' }
}
