import type { ApiRequest, ApiResponse } from '@homeostat/api'
import type { FlowControl } from '../../flow-control/index.ts'
import { Exposition, TEXT_FORMAT, type ServerMetrics, type StoredCount } from '../../metrics/index.ts'
import { collectionOf, type Registry } from '../../registry/index.ts'

const encoder = new TextEncoder()

/** `/metrics` and `/metrics/slis`, in the text format of Prometheus. Undefined for other paths. */
export async function metricsAnswer(
  request: ApiRequest,
  {
    metrics,
    registry,
    flowControl,
  }: {
    readonly metrics: ServerMetrics
    readonly registry: Registry
    readonly flowControl?: FlowControl | undefined
  },
): Promise<ApiResponse | undefined> {
  const { path } = request
  if (path !== '/metrics' && path !== '/metrics/slis') return undefined
  // Imported only here, so that a server whose metrics no client reads needs no modules of Node.
  const { startedAt, writeProcess, writeStart } = await import('../../metrics/process-metrics.ts')
  const now = registry.clock.now()
  const text = (): string =>
    metrics.text(storedCounts(registry), (to) => {
      flowControl?.write(to)
      writeProcess(to, now)
    })
  return {
    status: 200,
    headers: {
      'content-type': TEXT_FORMAT,
      'cache-control': 'no-cache, private',
      'process-start-time-unix': String(Math.round(startedAt(now))),
    },
    body: encoder.encode(path === '/metrics' ? text() : healthText(metrics, (to) => writeStart(to, now))),
  }
}

function healthText(metrics: ServerMetrics, writeStart: (to: Exposition) => void): string {
  const to = new Exposition()
  metrics.health.write(to)
  writeStart(to)
  return to.text()
}

/** How many objects of each resource are stored; each is counted once, however many versions it has. */
function storedCounts({ catalogue, store }: Registry): readonly StoredCount[] {
  const resources = new Map(
    catalogue
      .all()
      .filter(({ virtual }) => !virtual)
      .map((resource) => [collectionOf(resource), resource] as const),
  )
  return [...resources].map(([collection, { group, plural }]) => ({
    group,
    resource: plural,
    count: store.extent(collection).length,
  }))
}
