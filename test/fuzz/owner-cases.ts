import type { FuzzCase, FuzzRequest } from './fuzz-case.ts'
import type { Tree } from './json-tree.ts'

/** Who owns what a writer sends and the server then drops, puts back or makes null. */
export function ownerCases(): FuzzCase[] {
  return [
    ...emptyLists(),
    found('v1 Service', 'an address that an update leaves out', ...leftOut()),
    found('v1 Node', 'a configuration that no node has any more', {
      method: 'POST',
      path: '/api/v1/nodes?dryRun=All',
      body: { metadata: { name: 'n', labels }, spec: { podCIDR: '10.1.0.0/24', configSource: {}, taints } },
    }),
    found(
      'v1 Namespace',
      'finalizers that are all taken away',
      { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'owned' } } },
      {
        method: 'PUT',
        path: '/api/v1/namespaces/owned/finalize?dryRun=All',
        body: { metadata: { name: 'owned' } },
      },
      {
        method: 'PUT',
        path: '/api/v1/namespaces/owned/finalize?dryRun=All',
        body: { metadata: { name: 'owned', labels: { 'a b': 'c' }, finalizers: ['"'] } },
      },
    ),
    found(
      'autoscaling/v1 HorizontalPodAutoscaler',
      'a status that is kept in annotations',
      ...annotatedStatus(),
    ),
    found('resource.k8s.io/v1 ResourceClaim', 'metadata in a write of the status', ...claimStatus()),
    found('apps/v1 DaemonSet', 'the count of templates in a write of the status', ...countedTemplates()),
  ]
}

const NAMESPACED = '/api/v1/namespaces/{ns}'
const labels = { a: 'b' }
const taints = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]
const containers = [{ name: 'c', image: 'i' }]

function found(kind: string, verb: string, ...requests: readonly FuzzRequest[]): FuzzCase {
  return { kind, verb, requests }
}

/** Lists that are written as null when they are empty: their writer owns them. */
function emptyLists(): FuzzCase[] {
  const kinds: readonly (readonly [string, string, Tree])[] = [
    ['v1 LimitRange', `${NAMESPACED}-limits/limitranges`, { spec: { limits: [] } }],
    [
      'rbac.authorization.k8s.io/v1 Role',
      '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
      { rules: [] },
    ],
    ['storage.k8s.io/v1 CSINode', '/apis/storage.k8s.io/v1/csinodes', { spec: { drivers: [] } }],
    [
      'discovery.k8s.io/v1 EndpointSlice',
      '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices',
      { addressType: 'IPv4', endpoints: [], ports: [] },
    ],
  ]
  return kinds.map(([kind, path, fields]) =>
    found(
      kind,
      'an empty list',
      { method: 'POST', path, body: { metadata: { name: 'empty' }, ...(fields as object) } },
      { method: 'PUT', path: `${path}/empty`, body: { metadata: { name: 'empty' }, ...(fields as object) } },
    ),
  )
}

function annotatedStatus(): FuzzRequest[] {
  const path = '/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers'
  const metadata = { name: 'annotated' }
  const spec = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 }
  const status = { currentCPUUtilizationPercentage: 5, currentReplicas: 1, desiredReplicas: 1 }
  const body = { metadata, spec, status }
  return [
    { method: 'POST', path, body },
    { method: 'PUT', path: `${path}/annotated`, body },
    { method: 'PUT', path: `${path}/annotated/status`, body },
    { method: 'PUT', path: `${path}/annotated`, body: { metadata, spec } },
  ]
}

function claimStatus(): FuzzRequest[] {
  const path = '/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims'
  const named = { name: 'claimed', generateName: 'gen-', labels }
  return [
    { method: 'POST', path, body: { metadata: named } },
    { method: 'PUT', path: `${path}/claimed/status`, body: { metadata: { name: 'claimed' } } },
  ]
}

function countedTemplates(): FuzzRequest[] {
  const path = '/apis/apps/v1/namespaces/{ns}/daemonsets'
  const [metadata, spec] = [
    { name: 'counted' },
    { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  ]
  return [
    { method: 'POST', path, body: { metadata, spec } },
    { method: 'PUT', path: `${path}/counted/status?dryRun=All`, body: { metadata, spec } },
  ]
}

function leftOut(): FuzzRequest[] {
  const path = `${NAMESPACED}/services`
  const metadata = { name: 'owned' }
  return [
    { method: 'POST', path, body: { metadata, spec: { clusterIP: 'None', ports: [{ port: 80 }] } } },
    { method: 'PUT', path: `${path}/owned`, body: { metadata, spec: { ports: [{ port: 80 }] } } },
  ]
}
