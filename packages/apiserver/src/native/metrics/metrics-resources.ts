import type { Resource } from '../../registry/index.ts'

export const METRICS_GROUP = 'metrics.k8s.io'
const VERSION = 'v1beta1'

const USAGE = { type: 'object', additionalProperties: { type: 'string' } } as const
const MEASURED = {
  timestamp: { type: 'string', format: 'date-time' },
  window: { type: 'string' },
} as const

/** The resources that `kubectl top` reads. They are not stored: each request measures. */
export const METRICS_RESOURCES: readonly Resource[] = [
  resource('NodeMetrics', 'nodes', 'Cluster', { ...MEASURED, usage: USAGE }),
  resource('PodMetrics', 'pods', 'Namespaced', {
    ...MEASURED,
    containers: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, usage: USAGE } },
    },
  }),
]

function resource(
  kind: string,
  plural: string,
  scope: Resource['scope'],
  properties: Readonly<Record<string, object>>,
): Resource {
  return {
    group: METRICS_GROUP,
    version: VERSION,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: '',
    shortNames: [],
    categories: [],
    scope,
    verbs: ['get', 'list'],
    subresources: { status: false },
    virtual: true,
    custom: true,
    columns: [],
    strategy: () => ({}),
    schema: { root: { type: 'object', properties }, definitions: {} },
  }
}
