import {
  configMap,
  configMaps,
  deployment,
  deployments,
  pod,
  pods,
  secret,
  secrets,
  service,
  services,
  widget,
  widgetDefinition,
  widgets,
} from '../objects.ts'
import { scenario, topic, type Scenario, type Step } from '../scenario.ts'
import { create, get, merge, pass, remove, replace } from '../steps.ts'

const quotas = '/api/v1/~/resourcequotas'
const claims = '/api/v1/~/persistentvolumeclaims'
const deviceClaims = '/apis/resource.k8s.io/v1/~/resourceclaims'
type Fields = Readonly<Record<string, unknown>>
type Amounts = Readonly<Record<string, string>>

const quota = (name: string, hard: Amounts, spec: Fields = {}) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name },
  spec: { hard, ...spec },
})
/** Writes what a controller would find: without one, a quota has no status. */
const counted = (name: string, hard: Amounts, used: Amounts): Step =>
  merge(`${quotas}/${name}/status`, { status: { hard, used } }, { show: () => 'done' })
const zero = (hard: Amounts): Amounts => Object.fromEntries(Object.keys(hard).map((key) => [key, '0']))
const status = (name = 'q'): Step =>
  get(`${quotas}/${name}`, { show: ({ status: found }) => found as unknown })

/** A quota that was counted, writes, and what is used then. A server learns of the quota a moment later. */
function limited(title: string, hard: Amounts, spec: Fields, ...steps: readonly Step[]): Scenario {
  return scenario(
    'B native kinds',
    `quota: ${title}`,
    create(quotas, quota('q', hard, spec), { show: () => 'done' }),
    counted('q', hard, zero(hard)),
    pass('1s'),
    ...steps,
    status(),
  )
}

const only = { show: ({ metadata }: { metadata: { name: string } }) => metadata.name }
const resources = (requests: Amounts, limits: Amounts = {}) => ({ resources: { requests, limits } })
const container = (name: string, more: Fields = {}) => ({ name, image: 'web:1', ...more })
const sized = (name: string, requests: Amounts, limits: Amounts = {}, spec: Fields = {}) =>
  pod(name, { containers: [container('web', resources(requests, limits))], ...spec })
const make = (path: string, body: unknown): Step => create(path, body, only)
const claim = (name: string, storage: string, spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
})
const devices = (name: string, requests: readonly Fields[]) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name },
  spec: { devices: { requests } },
})
const ends = (name: string, phase: string): Step =>
  merge(`${pods}/${name}/status`, { status: { phase } }, { show: () => 'done' })
const GOLD = 'gold.storageclass.storage.k8s.io/'
const GPU = 'gpu.deviceclass.resource.k8s.io/devices'
const crossing = { topologyKey: 'zone', namespaces: ['other'] }
const affinity = (term: Fields) => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
})
const selector = (scopeName: string, operator: string, values?: readonly string[]) => ({
  scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values && { values }) }] },
})
const countTitles: readonly (readonly [string, string, string, unknown])[] = [
  ['count/configmaps', configMaps, 'ConfigMaps', configMap('a')],
  ['configmaps', configMaps, 'ConfigMaps by their old name', configMap('a')],
  ['secrets', secrets, 'Secrets by their old name', secret('a')],
  ['count/secrets', secrets, 'Secrets', secret('a')],
  ['count/deployments.apps', deployments, 'Deployments', deployment('a')],
  ['count/widgets.conformance.example.com', widgets, 'objects of a custom kind', widget('a')],
  ['count/services', services, 'Services', service('a')],
  ['count/pods', pods, 'Pods', pod('a')],
  ['pods', pods, 'Pods by their old name', pod('a')],
  ['count/persistentvolumeclaims', claims, 'PersistentVolumeClaims', claim('a', '1Gi')],
  ['persistentvolumeclaims', claims, 'PersistentVolumeClaims by their old name', claim('a', '1Gi')],
  ['count/resourcequotas', quotas, 'ResourceQuotas', quota('a', {})],
  ['resourcequotas', quotas, 'ResourceQuotas by their old name', quota('a', {})],
  [
    'count/leases.coordination.k8s.io',
    '/apis/coordination.k8s.io/v1/~/leases',
    'Leases',
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' } },
  ],
  [
    'count/serviceaccounts',
    '/api/v1/~/serviceaccounts',
    'ServiceAccounts',
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } },
  ],
]
const renamed = (body: unknown, name: string): unknown => {
  const object = body as { metadata: object }
  return { ...object, metadata: { ...object.metadata, name } }
}

const counts = countTitles.map(([name, path, title, body]) =>
  limited(
    `counts ${title}`,
    { [name]: '1' },
    {},
    make(path, body),
    make(path, renamed(body, 'b')),
    create(
      path,
      { ...(renamed(body, '') as object), metadata: { generateName: 'g-' } },
      { ignore: ['message', 'details.name'] },
    ),
    remove(`${path}/a`, undefined, { show: () => 'done' }),
    make(path, renamed(body, 'c')),
  ),
)

const scopes: readonly Scenario[] = [
  limited(
    'counts Pods with a deadline alone',
    { pods: '1' },
    { scopes: ['Terminating'] },
    make(pods, pod('a')),
    make(pods, pod('b', { activeDeadlineSeconds: 60 })),
    make(pods, pod('c', { activeDeadlineSeconds: 60 })),
    make(pods, pod('d')),
  ),
  limited(
    'counts Pods without a deadline alone',
    { pods: '1' },
    { scopes: ['NotTerminating'] },
    make(pods, pod('a', { activeDeadlineSeconds: 60 })),
    make(pods, pod('b')),
    make(pods, pod('c')),
  ),
  limited(
    'counts a Pod that gets a deadline',
    { pods: '1' },
    { scopes: ['Terminating'] },
    make(pods, pod('a')),
    make(pods, pod('b')),
    merge(`${pods}/a`, { spec: { activeDeadlineSeconds: 60 } }, only),
    merge(`${pods}/b`, { spec: { activeDeadlineSeconds: 60 } }, only),
  ),
  limited(
    'counts Pods of no class of service alone',
    { pods: '1' },
    { scopes: ['BestEffort'] },
    make(pods, sized('a', { cpu: '1' })),
    make(pods, pod('b')),
    make(pods, pod('c')),
  ),
  limited(
    'counts Pods that ask for something alone',
    { pods: '1', 'requests.cpu': '2' },
    { scopes: ['NotBestEffort'] },
    make(pods, pod('a')),
    make(pods, sized('b', { cpu: '1' })),
    make(pods, sized('c', { cpu: '1' })),
  ),
  limited(
    'counts Pods in two scopes at once',
    { pods: '1' },
    { scopes: ['BestEffort', 'Terminating'] },
    make(pods, pod('a')),
    make(pods, sized('b', { cpu: '1' }, {}, { activeDeadlineSeconds: 60 })),
    make(pods, pod('c', { activeDeadlineSeconds: 60 })),
    make(pods, pod('d', { activeDeadlineSeconds: 60 })),
  ),
  ...(
    [
      ['In', ['system-node-critical']],
      ['NotIn', ['system-node-critical']],
      ['Exists', undefined],
      ['DoesNotExist', undefined],
    ] as const
  ).map(([operator, values]) =>
    limited(
      `counts Pods by a priority class that is ${operator}`,
      { pods: '1' },
      selector('PriorityClass', operator, values),
      make(pods, pod('a')),
      make(pods, pod('b')),
      make(pods, pod('c', { priorityClassName: 'system-node-critical' })),
      make(pods, pod('d', { priorityClassName: 'system-node-critical' })),
      make(pods, pod('e', { priorityClassName: 'system-cluster-critical' })),
    ),
  ),
  limited(
    'counts Pods whose affinity reaches other namespaces',
    { pods: '0' },
    { scopes: ['CrossNamespacePodAffinity'] },
    make(pods, pod('a')),
    make(pods, pod('b', affinity({ topologyKey: 'zone' }))),
    make(pods, pod('c', affinity(crossing))),
    make(pods, pod('d', affinity({ topologyKey: 'zone', namespaceSelector: {} }))),
    make(
      pods,
      pod('e', {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: crossing }],
          },
        },
      }),
    ),
  ),
]

const compute: readonly Scenario[] = [
  limited(
    'limits requests and limits of Pods',
    { 'requests.cpu': '1', 'requests.memory': '1Gi', 'limits.cpu': '2', 'limits.memory': '2Gi' },
    {},
    make(pods, pod('a')),
    make(pods, sized('b', { cpu: '500m' }, { cpu: '1' })),
    make(pods, sized('c', { cpu: '500m', memory: '512Mi' }, { cpu: '1', memory: '1Gi' })),
    make(pods, sized('d', { cpu: '600m', memory: '512Mi' }, { cpu: '1', memory: '1Gi' })),
    make(pods, sized('e', { cpu: '100m', memory: '600Mi' }, { cpu: '1', memory: '2Gi' })),
    make(pods, sized('f', { cpu: '0.5', memory: '0.5Gi' }, { cpu: '1', memory: '1Gi' })),
  ),
  limited(
    'limits cpu and memory by their short names',
    { cpu: '1', memory: '100M' },
    {},
    make(pods, sized('a', { cpu: '250m' })),
    make(pods, sized('b', { cpu: '250m', memory: '50M' })),
    make(pods, sized('c', { cpu: '1', memory: '50M' })),
  ),
  limited(
    'names all containers that do not say what they need',
    { 'requests.cpu': '1', 'limits.memory': '1Gi' },
    {},
    make(
      pods,
      pod('a', {
        containers: [container('z'), container('y', resources({ cpu: '1' }))],
        initContainers: [container('i')],
      }),
    ),
  ),
  limited(
    'adds up containers, and what init containers need at one time',
    { 'requests.cpu': '3' },
    {},
    make(
      pods,
      pod('a', {
        containers: [container('x', resources({ cpu: '1' })), container('y', resources({ cpu: '500m' }))],
        initContainers: [container('i', resources({ cpu: '2' }))],
      }),
    ),
    make(pods, sized('b', { cpu: '1' })),
    make(pods, sized('c', { cpu: '100m' })),
  ),
  limited(
    'counts sidecars beside containers',
    { 'requests.cpu': '2' },
    {},
    make(
      pods,
      pod('a', {
        containers: [container('x', resources({ cpu: '1' }))],
        initContainers: [container('s', { ...resources({ cpu: '1' }), restartPolicy: 'Always' })],
      }),
    ),
    make(pods, sized('b', { cpu: '1m' })),
  ),
  limited(
    'takes what a Pod asks for as a whole',
    { 'requests.cpu': '2', 'limits.cpu': '2' },
    {},
    make(pods, pod('a', { resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } })),
    make(pods, pod('b', { resources: { requests: { cpu: '1500m' }, limits: { cpu: '1500m' } } })),
  ),
  limited(
    'limits ephemeral storage without requiring it',
    { 'requests.ephemeral-storage': '1Gi', 'limits.ephemeral-storage': '2Gi' },
    {},
    make(pods, pod('a')),
    make(pods, sized('b', { 'ephemeral-storage': '1Gi' }, { 'ephemeral-storage': '1Gi' })),
    make(pods, sized('c', { 'ephemeral-storage': '1' }, { 'ephemeral-storage': '2Gi' })),
  ),
  limited(
    'limits resources of vendors',
    { 'requests.example.com/gpu': '2' },
    {},
    make(pods, pod('a')),
    make(pods, sized('b', { 'example.com/gpu': '2' }, { 'example.com/gpu': '2' })),
    make(pods, sized('c', { 'example.com/gpu': '1' }, { 'example.com/gpu': '1' })),
  ),
  limited(
    'limits huge pages',
    { 'requests.hugepages-2Mi': '4Mi', 'hugepages-2Mi': '6Mi' },
    {},
    make(pods, sized('a', { cpu: '1', 'hugepages-2Mi': '4Mi' }, { 'hugepages-2Mi': '4Mi' })),
    make(pods, sized('b', { cpu: '1', 'hugepages-2Mi': '2Mi' }, { 'hugepages-2Mi': '2Mi' })),
  ),
  limited(
    'says all that is exceeded, by name',
    { pods: '0', 'requests.memory': '1Mi', 'requests.cpu': '10m', 'count/pods': '0' },
    {},
    make(pods, sized('a', { cpu: '1', memory: '1Gi' })),
  ),
  limited(
    'keeps counting a Pod that has ended as an object',
    { pods: '1', 'count/pods': '2' },
    {},
    make(pods, pod('a')),
    ends('a', 'Succeeded'),
    make(pods, pod('b')),
  ),
  limited(
    'is not exceeded by a dry run, and does not count it',
    { pods: '1' },
    {},
    create(`${pods}?dryRun=All`, pod('a'), only),
    create(`${pods}?dryRun=All`, pod('b'), only),
    make(pods, pod('c')),
    create(`${pods}?dryRun=All`, pod('d'), only),
  ),
  limited(
    'refuses before it is known that a name is taken',
    { pods: '1' },
    {},
    make(pods, pod('a')),
    make(pods, pod('a')),
  ),
  limited(
    'does not look at an object that is invalid',
    { pods: '0' },
    {},
    create(pods, pod('a', { containers: [] })),
    create(pods, pod('NOT_A_NAME')),
  ),
]

const nodePorts = {
  type: 'NodePort',
  ports: [
    { name: 'a', port: 80 },
    { name: 'b', port: 81 },
  ],
}
const balanced = { ...nodePorts, type: 'LoadBalancer' }
const objects: readonly Scenario[] = [
  limited(
    'counts node ports',
    { services: '5', 'services.nodeports': '3' },
    {},
    make(services, service('a')),
    make(services, service('b', nodePorts)),
    make(services, service('c', nodePorts)),
  ),
  limited(
    'counts load balancers',
    { 'services.loadbalancers': '1', 'services.nodeports': '9' },
    {},
    make(services, service('a', balanced)),
    make(services, service('b', balanced)),
    make(services, service('c', nodePorts)),
  ),
  limited(
    'counts no node ports of a load balancer that has none',
    { 'services.nodeports': '0' },
    {},
    make(services, service('a', { ...balanced, allocateLoadBalancerNodePorts: false })),
    make(services, service('b', balanced)),
  ),
  limited(
    'counts a Service whose type changes',
    { services: '3', 'services.nodeports': '2', 'services.loadbalancers': '0' },
    {},
    make(services, service('a', { ...nodePorts, type: 'ClusterIP' })),
    merge(`${services}/a`, { spec: { type: 'NodePort' } }, only),
    merge(`${services}/a`, { spec: { type: 'LoadBalancer' } }, only),
    merge(`${services}/a`, { spec: { type: 'ClusterIP' } }, only),
  ),
  limited(
    'limits storage',
    { 'requests.storage': '10Gi', persistentvolumeclaims: '5' },
    {},
    make(claims, claim('a', '6Gi')),
    make(claims, claim('b', '5Gi')),
    make(claims, claim('c', '4096Mi')),
    make(claims, claim('d', '1')),
  ),
  limited(
    'limits storage of a class',
    { [`${GOLD}requests.storage`]: '1Gi', [`${GOLD}persistentvolumeclaims`]: '2' },
    {},
    make(claims, claim('a', '5Gi')),
    make(claims, claim('b', '5Gi', { storageClassName: 'silver' })),
    make(claims, claim('c', '512Mi', { storageClassName: 'gold' })),
    make(claims, claim('d', '513Mi', { storageClassName: 'gold' })),
    make(
      claims,
      claim('e', '1Mi', {}, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'gold' } }),
    ),
    make(claims, claim('f', '1Mi', { storageClassName: 'gold' })),
  ),
  limited(
    'rounds storage up to bytes',
    { 'requests.storage': '3' },
    {},
    make(claims, claim('a', '1500m')),
    make(claims, claim('b', '1')),
    make(claims, claim('c', '1')),
  ),
  limited(
    'counts claims by their class of attributes',
    { persistentvolumeclaims: '1' },
    selector('VolumeAttributesClass', 'In', ['fast']),
    make(claims, claim('a', '1Gi')),
    make(claims, claim('b', '1Gi', { volumeAttributesClassName: 'fast' })),
    make(claims, claim('c', '1Gi', { volumeAttributesClassName: 'fast' })),
    make(claims, claim('d', '1Gi', { volumeAttributesClassName: 'slow' })),
  ),
  limited(
    'counts devices of a class',
    { [GPU]: '3', 'count/resourceclaims.resource.k8s.io': '5' },
    {},
    make(deviceClaims, devices('a', [{ name: 'r', exactly: { deviceClassName: 'gpu', count: 2 } }])),
    make(deviceClaims, devices('b', [{ name: 'r', exactly: { deviceClassName: 'gpu', count: 2 } }])),
    make(
      deviceClaims,
      devices('c', [{ name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'All' } }]),
    ),
    make(
      deviceClaims,
      devices('d', [
        {
          name: 'r',
          firstAvailable: [
            { name: 'x', deviceClassName: 'gpu', count: 1 },
            { name: 'y', deviceClassName: 'tpu', count: 9 },
          ],
        },
      ]),
    ),
    make(deviceClaims, devices('e', [{ name: 'r', exactly: { deviceClassName: 'tpu' } }])),
  ),
]

const states: readonly Scenario[] = [
  scenario(
    'B native kinds',
    'quota: without a status it limits nothing',
    create(quotas, quota('q', { configmaps: '0' })),
    pass('1s'),
    make(configMaps, configMap('a')),
    status(),
  ),
  scenario(
    'B native kinds',
    'quota: what is used must be known',
    create(quotas, quota('q', { configmaps: '1', secrets: '1', 'count/configmaps': '2' }), {
      show: () => 'done',
    }),
    counted('q', { configmaps: '1', secrets: '1', 'count/configmaps': '2' }, { secrets: '0' }),
    pass('1s'),
    make(configMaps, configMap('a')),
    make(secrets, secret('a')),
    status(),
  ),
  scenario(
    'B native kinds',
    'quota: its status decides, not its spec',
    create(quotas, quota('q', { configmaps: '0' }), { show: () => 'done' }),
    counted('q', { configmaps: '1' }, { configmaps: '0' }),
    pass('1s'),
    make(configMaps, configMap('a')),
    make(configMaps, configMap('b')),
    status(),
  ),
  scenario(
    'B native kinds',
    'quota: more may be used than is allowed',
    create(quotas, quota('q', { configmaps: '1' }), { show: () => 'done' }),
    counted('q', { configmaps: '1' }, { configmaps: '5' }),
    pass('1s'),
    make(configMaps, configMap('a')),
    make(secrets, secret('a')),
    status(),
  ),
  scenario(
    'B native kinds',
    'quota: each of two limits',
    create(quotas, quota('q', { configmaps: '2' }), { show: () => 'done' }),
    create(quotas, quota('r', { configmaps: '1' }), { show: () => 'done' }),
    counted('q', { configmaps: '2' }, { configmaps: '0' }),
    counted('r', { configmaps: '1' }, { configmaps: '0' }),
    pass('1s'),
    make(configMaps, configMap('a')),
    make(configMaps, configMap('b')),
    status('q'),
    status('r'),
  ),
  scenario(
    'B native kinds',
    'quota: a changed object is not counted again',
    create(quotas, quota('q', { configmaps: '1', pods: '1' }), { show: () => 'done' }),
    counted('q', { configmaps: '1', pods: '1' }, { configmaps: '0', pods: '0' }),
    pass('1s'),
    make(configMaps, configMap('a')),
    replace(`${configMaps}/a`, configMap('a', { color: 'red' }), only),
    merge(`${configMaps}/a`, { data: { color: 'blue' } }, only),
    status(),
  ),
  scenario(
    'B native kinds',
    'quota: who wrote what is used',
    create(quotas, quota('q', { configmaps: '1' }), { show: () => 'done' }),
    counted('q', { configmaps: '1' }, { configmaps: '0' }),
    pass('1s'),
    make(configMaps, configMap('a')),
    get(`${quotas}/q`),
  ),
  scenario(
    'B native kinds',
    'quota: events and reviews are not counted',
    create(quotas, quota('q', { 'count/events': '0', 'count/events.events.k8s.io': '0' }), {
      show: () => 'done',
    }),
    counted(
      'q',
      { 'count/events': '0', 'count/events.events.k8s.io': '0' },
      { 'count/events': '0', 'count/events.events.k8s.io': '0' },
    ),
    pass('1s'),
    make('/api/v1/~/events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'a' },
      involvedObject: { namespace: '{ns}', name: 'x', kind: 'Pod' },
      reason: 'r',
      message: 'm',
    }),
    status(),
  ),
]

/** ResourceQuotas in the words of the API. Their statuses are written by the scenarios: no controllers run. */
export const quotaTopic = topic('quotas', [...counts, ...scopes, ...compute, ...objects, ...states], {
  definitions: [widgetDefinition],
})
