import type { ApiRequest, ApiResponse } from '@homeostat/api'
import type { FlowControl } from '../../flow-control/index.ts'
import { TEXT_FORMAT, type ServerMetrics, type StoredCount } from '../../metrics/index.ts'
import { collectionOf, type Registry } from '../../registry/index.ts'

const encoder = new TextEncoder()

/** `/metrics`, in the text format of Prometheus. Undefined for other paths. */
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
  if (request.path !== '/metrics') return undefined
  // Imported only here, so that a server whose metrics no client reads needs no modules of Node.
  const { writeProcess } = await import('../../metrics/process-metrics.ts')
  const text = metrics.text(storedCounts(registry), (to) => {
    flowControl?.write(to)
    writeProcess(to, registry.clock.now())
  })
  return {
    status: 200,
    headers: { 'content-type': TEXT_FORMAT, 'cache-control': 'no-cache, private' },
    body: encoder.encode(text),
  }
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
