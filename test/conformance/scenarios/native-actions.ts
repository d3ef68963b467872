import { pod, pods, service, services } from '../objects.ts'
import { scenario, topic, type RequestStep } from '../scenario.ts'
import { create, get, merge, remove, replace, strategic } from '../steps.ts'

const budgets = '/apis/policy/v1/~/poddisruptionbudgets'
const budget = (name: string, spec: object = {}) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } }, ...spec },
})
const placed = (name: string) => pod(name, { nodeName: 'n' }, { labels: { app: 'web' } })
const runs = (name: string, ready = 'True') =>
  merge(
    `${pods}/${name}/status`,
    { status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] } },
    { show: () => 'done' },
  )
const allows = (name: string, status: object) =>
  merge(`${budgets}/${name}/status`, { status }, { show: () => 'done' })
const evict = (name: string, more: object = {}): RequestStep =>
  create(`${pods}/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...more,
  })
const bind = (name: string, target: object, metadata: object = {}): RequestStep =>
  create(`${pods}/${name}/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, ...metadata },
    target,
  })
const workload = (apiVersion: string, kind: string, spec: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'w' },
  spec: {
    replicas: 2,
    selector: apiVersion === 'v1' ? { app: 'web' } : { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
    },
    ...spec,
  },
})
const scale = (replicas: number) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'w' },
  spec: { replicas },
})
const scaled = (path: string) => [
  get(`${path}/w/scale`),
  replace(`${path}/w/scale`, scale(5)),
  replace(`${path}/w/scale`, scale(-1)),
  merge(`${path}/w/scale`, { spec: { replicas: 1 } }),
]

/** The actions on native objects besides writes, and the values that the server allocates for them. */
export const nativeActions = topic('native-actions', [
  scenario(
    'B native kinds',
    'evictions that a budget refuses',
    create(pods, placed('a')),
    evict('a', { metadata: { name: 'b' } }),
    evict('none'),
    create(budgets, budget('one')),
    runs('a'),
    evict('a'),
    allows('one', { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 }),
    evict('a'),
    allows('one', { disruptionsAllowed: 0, currentHealthy: 2 }),
    evict('a'),
    allows('one', {
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'False',
          reason: 'SyncFailed',
          message: 'oops',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    }),
    evict('a'),
    create(budgets, budget('two')),
    evict('a'),
  ),
  scenario(
    'B native kinds',
    'evictions that a budget allows',
    create(pods, placed('a')),
    create(pods, placed('b')),
    create(budgets, budget('one')),
    runs('a'),
    runs('b', 'False'),
    allows('one', { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 }),
    evict('a', { deleteOptions: { dryRun: ['All'] } }),
    get(`${budgets}/one`),
    evict('a', { deleteOptions: { gracePeriodSeconds: 5 } }),
    get(`${pods}/a`),
    get(`${budgets}/one`),
    evict('a'),
    evict('b'),
    remove(`${pods}/a?gracePeriodSeconds=0`, undefined, { show: () => 'done' }),
    remove(`${pods}/b?gracePeriodSeconds=0`, undefined, { show: () => 'done' }),
  ),
  scenario(
    'B native kinds',
    'bindings',
    create(pods, pod('a')),
    bind('a', {}),
    bind('a', { kind: 'Pod' }),
    bind('a', { name: 'n' }, { name: 'other' }),
    bind('none', { name: 'n' }),
    bind('a', { kind: 'Node', name: 'n' }, { annotations: { a: 'b' }, labels: { l: 'm' } }),
    get(`${pods}/a`),
    bind('a', { name: 'n' }),
    create(pods, pod('gated', { schedulingGates: [{ name: 'example.com/gate' }] })),
    bind('gated', { name: 'n' }),
    remove(`${pods}/a?gracePeriodSeconds=0`, undefined, { show: () => 'done' }),
  ),
  scenario(
    'B native kinds',
    'containers that come later',
    create(pods, pod('a')),
    strategic(`${pods}/a/ephemeralcontainers`, {
      metadata: { labels: { a: 'b' } },
      spec: { ephemeralContainers: [{ name: 'debug', image: 'i', targetContainerName: 'web' }] },
    }),
    strategic(`${pods}/a/ephemeralcontainers`, { spec: { activeDeadlineSeconds: 3 } }),
    merge(`${pods}/a/ephemeralcontainers`, { spec: { ephemeralContainers: null } }),
    strategic(`${pods}/a/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: 'web', image: '' }] },
    }),
    get(`${pods}/a/ephemeralcontainers`),
    get(`${pods}/none/ephemeralcontainers`),
  ),
  scenario(
    'B native kinds',
    'addresses and ports that are given out once',
    // From the part of the ranges that is not given out by itself.
    create(services, service('a', { clusterIP: '10.96.0.77' })),
    create(services, service('b', { clusterIP: '10.96.0.77' })),
    create(services, service('b', { clusterIP: '9.9.9.9' })),
    create(services, service('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30033 }] })),
    create(services, service('c', { type: 'NodePort', ports: [{ port: 80, nodePort: 30033 }] })),
    create(services, service('c', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] })),
    merge(`${services}/b`, { spec: { type: 'ClusterIP' } }),
    create(services, service('c', { type: 'NodePort', ports: [{ port: 80, nodePort: 30033 }] })),
    merge(`${services}/b`, { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30033 }] } }),
    merge(`${services}/a`, { spec: { type: 'ExternalName', externalName: 'a.example.com' } }),
    create(services, service('d', { clusterIP: '10.96.0.77' })),
    create('/api/v1/~/endpoints', { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'd' } }),
    remove(`${services}/d`),
    get('/api/v1/~/endpoints/d'),
    remove(`${services}/c`),
  ),
  scenario(
    'B native kinds',
    'scales',
    create('/apis/apps/v1/~/statefulsets', workload('apps/v1', 'StatefulSet', { serviceName: 's' })),
    ...scaled('/apis/apps/v1/~/statefulsets'),
    create('/apis/apps/v1/~/replicasets', workload('apps/v1', 'ReplicaSet')),
    ...scaled('/apis/apps/v1/~/replicasets'),
    create('/api/v1/~/replicationcontrollers', workload('v1', 'ReplicationController')),
    ...scaled('/api/v1/~/replicationcontrollers'),
  ),
])
