import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import type { TreeObject } from '../json-tree.ts'
import { container, found, labels, MERGE, NAMESPACED, store, STRATEGIC, template } from './found-case.ts'

const API_SERVICE = '/apis/apiregistration.k8s.io/v1/apiservices/v1.found.example.com'
const apiService = {
  metadata: { name: 'v1.found.example.com' },
  spec: {
    group: 'found.example.com',
    version: 'v1',
    groupPriorityMinimum: 1,
    versionPriority: 1,
    insecureSkipTLSVerify: true,
    service: { namespace: 'n', name: 's' },
  },
}

/** Updates of a single field or of none, also of statuses, that a search through all fields found. */
export function updates(): FuzzCase[] {
  return [
    containerStatuses(),
    unchangedNode(),
    withoutNodePorts(),
    found(
      'storage.k8s.io/v1 CSINode',
      'a driver that stands twice',
      store('/apis/storage.k8s.io/v1/csinodes', {
        metadata: { name: 'drivers' },
        spec: { drivers: [{ name: 'd', nodeID: 'n' }] },
      }),
      ...[[{ name: 'd' }], [{ name: 'd', nodeID: 'n' }], []].map((more): FuzzRequest => ({
        method: 'PATCH',
        path: '/apis/storage.k8s.io/v1/csinodes/drivers?dryRun=All',
        type: MERGE,
        body: { spec: { drivers: [{ name: 'd', nodeID: 'n' }, ...more] } },
      })),
    ),
    found(
      'v1 Node',
      'networks of Pods that are none',
      ...[['x'], ['10.0.0.0/8', 'x'], ['x', 'fe80::/64'], ['10.0.0.0/8', 'fe80::/64', '-']].map(
        (podCIDRs) => ({
          method: 'POST' as const,
          path: '/api/v1/nodes?dryRun=All',
          body: { metadata: { name: 'networks' }, spec: { podCIDRs } },
        }),
      ),
    ),
    found(
      'v1 PersistentVolumeClaim',
      'a long negative amount in a status',
      store(`${NAMESPACED}/persistentvolumeclaims`, {
        metadata: { name: 'amounts' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      }),
      {
        method: 'PATCH',
        path: `${NAMESPACED}/persistentvolumeclaims/amounts/status?dryRun=All`,
        type: MERGE,
        body: { status: { capacity: { storage: '-9007199254740993' } } },
      },
    ),
    found(
      'autoscaling/v1 HorizontalPodAutoscaler',
      'no utilization',
      store('/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers', {
        metadata: { name: 'idle' },
        spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
      }),
      {
        method: 'PATCH',
        path: '/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers/idle/status?dryRun=All',
        type: MERGE,
        body: { status: { currentCPUUtilizationPercentage: 0, currentReplicas: 0, desiredReplicas: 0 } },
      },
    ),
    found(
      'batch/v1 Job',
      'fewer active Pods than none',
      store('/apis/batch/v1/namespaces/{ns}/jobs', {
        metadata: { name: 'counted' },
        spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
      }),
      ...[{ active: -1 }, { active: -1, ready: 0 }, { ready: 1 }].map((status): FuzzRequest => ({
        method: 'PATCH',
        path: '/apis/batch/v1/namespaces/{ns}/jobs/counted/status?dryRun=All',
        type: MERGE,
        body: { status },
      })),
    ),
    found(
      'apiregistration.k8s.io/v1 APIService',
      'an update without a revision',
      store('/apis/apiregistration.k8s.io/v1/apiservices', apiService),
      { method: 'PUT', path: `${API_SERVICE}?dryRun=All`, body: apiService },
      { method: 'PUT', path: `${API_SERVICE}/status?dryRun=All`, body: apiService },
      {
        method: 'PATCH',
        path: `${API_SERVICE}?dryRun=All`,
        type: MERGE,
        body: { metadata: { labels } },
      },
    ),
  ]
}

/** A new Node may have an address twice. Each update of it is refused, also one that changes nothing. */
function unchangedNode(): FuzzCase {
  const nodes = '/api/v1/nodes'
  const address = { type: 'Hostname', address: 'n' }
  const node = { metadata: { name: 'twice' }, status: { addresses: [address, address] } }
  return found(
    'v1 Node',
    'unchanged addresses that stand twice',
    store(nodes, node),
    ...[`${nodes}/twice`, `${nodes}/twice/status`].flatMap((path): FuzzRequest[] => [
      { method: 'PATCH', path, type: MERGE, body: {} },
      { method: 'PATCH', path, type: STRATEGIC, body: {} },
    ]),
    { method: 'DELETE', path: `${nodes}/twice` },
  )
}

/** A Service of type LoadBalancer that wants no node ports keeps none for a port that is sent again. */
function withoutNodePorts(): FuzzCase {
  const services = `${NAMESPACED}/services`
  const balancer = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }
  const spec = { type: 'NodePort', ports: [{ port: 80, nodePort: 30778 }] }
  return found(
    'v1 Service',
    'ports of a LoadBalancer without node ports',
    store(services, { metadata: { name: 'portless' }, spec }),
    ...[
      balancer,
      { ...balancer, ports: [{ port: 80 }] },
      { type: 'LoadBalancer', ports: [{ port: 80 }] },
    ].map((change: TreeObject): FuzzRequest => ({
      method: 'PATCH',
      path: `${services}/portless?dryRun=All`,
      type: MERGE,
      body: { spec: change },
    })),
  )
}

/** The health of resources, users and volumes of containers, in a Pod's status. */
function containerStatuses(): FuzzCase {
  const pod = {
    metadata: { name: 'reported' },
    spec: { containers: [{ ...container, name: 'c', resources: { requests: { cpu: '1' } } }] },
  }
  const reported = (field: string, more: TreeObject): FuzzRequest => ({
    method: 'PATCH',
    path: `${NAMESPACED}/pods/reported/status?dryRun=All`,
    type: MERGE,
    body: {
      status: { [field]: [{ name: 'c', image: 'i', imageID: 'i', ready: true, restartCount: 0, ...more }] },
    },
  })
  const resource = (name: string, ...resources: object[]): TreeObject => ({
    allocatedResourcesStatus: [{ name, resources }],
  })
  const healthy = { resourceID: 'a', health: 'Healthy' }
  const mount = { name: 'v', mountPath: '/p' }
  const linux = { uid: -1, gid: 2 ** 31, supplementalGroups: [0, -5] }
  return found(
    'v1 Pod',
    'what a kubelet reports of containers',
    store(`${NAMESPACED}/pods`, pod),
    reported('containerStatuses', resource('cpu', healthy, { ...healthy, health: 'x' }, {})),
    reported('containerStatuses', resource('memory', { ...healthy, message: '' })),
    reported('containerStatuses', resource('claim:a/b', { ...healthy, message: 'é'.repeat(513) })),
    reported('containerStatuses', { name: 'other', ...resource('x', healthy) }),
    reported('initContainerStatuses', resource('cpu', healthy, healthy)),
    reported('ephemeralContainerStatuses', resource('cpu', healthy)),
    reported('ephemeralContainerStatuses', { user: { linux } }),
    reported('containerStatuses', { user: { linux } }),
    reported('containerStatuses', {
      volumeMounts: [{ ...mount, volumeStatus: { image: { imageRef: 'r' } } }, mount],
    }),
  )
}
