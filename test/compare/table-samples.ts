import { clusterSamples } from './cluster-table-samples.ts'
import type { TableSample } from './table-sample.ts'

const image = 'registry.example/app:1'
const container = (name: string) => ({ name, image })
const template = (app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [container('web'), container('log')] },
})

function core(
  title: string,
  plural: string,
  object: Record<string, unknown>,
  status?: Record<string, unknown>,
) {
  return { title, group: '', version: 'v1', plural, namespaced: true, object, ...(status && { status }) }
}

function pod(title: string, spec: Record<string, unknown>, status: Record<string, unknown>): TableSample {
  return core(title, 'pods', { spec: { containers: [container('web')], ...spec } }, status)
}

const running = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  image,
  imageID: '',
  restartCount: 0,
  ready: true,
  started: true,
  state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
  ...more,
})

const ended = (name: string, terminated: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  name,
  image,
  imageID: '',
  restartCount: 0,
  ready: false,
  state: {
    terminated: {
      exitCode: 0,
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:00:09Z',
      ...terminated,
    },
  },
  ...more,
})

const waiting = (name: string, reason?: string) => ({
  name,
  image,
  imageID: '',
  restartCount: 0,
  ready: false,
  state: { waiting: reason ? { reason } : {} },
})

const ready = [{ type: 'Ready', status: 'True' }]

const pods: TableSample[] = [
  pod('pod-new', {}, { phase: 'Pending' }),
  pod(
    'pod-running',
    {
      nodeName: 'node-1',
      readinessGates: [{ conditionType: 'example.com/a' }, { conditionType: 'example.com/b' }],
    },
    {
      phase: 'Running',
      podIPs: [{ ip: '10.1.2.3' }],
      conditions: [...ready, { type: 'example.com/a', status: 'True' }],
      containerStatuses: [running('web')],
    },
  ),
  pod(
    'pod-restarted',
    {},
    {
      phase: 'Running',
      conditions: ready,
      containerStatuses: [
        running('web', {
          restartCount: 3,
          lastState: {
            terminated: {
              exitCode: 1,
              startedAt: '2010-01-01T00:00:00Z',
              finishedAt: '2010-01-02T00:00:00Z',
            },
          },
        }),
      ],
    },
  ),
  pod('pod-crashing', {}, { phase: 'Running', containerStatuses: [waiting('web', 'CrashLoopBackOff')] }),
  pod(
    'pod-succeeded',
    { restartPolicy: 'Never' },
    { phase: 'Succeeded', containerStatuses: [ended('web', { reason: 'Completed' })] },
  ),
  pod(
    'pod-failed-by-signal',
    { restartPolicy: 'Never' },
    { phase: 'Failed', containerStatuses: [ended('web', { exitCode: 137, signal: 9 })] },
  ),
  pod(
    'pod-failed-by-code',
    { restartPolicy: 'Never' },
    { phase: 'Failed', containerStatuses: [ended('web', { exitCode: 3 })] },
  ),
  pod('pod-evicted', {}, { phase: 'Failed', reason: 'Evicted' }),
  pod(
    'pod-gated',
    {},
    { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
  ),
  pod(
    'pod-initializing',
    { initContainers: [container('one'), container('two')] },
    {
      phase: 'Pending',
      initContainerStatuses: [ended('one', { reason: 'Completed' }), waiting('two', 'PodInitializing')],
      containerStatuses: [waiting('web', 'PodInitializing')],
    },
  ),
  pod(
    'pod-init-failed',
    { initContainers: [container('one')] },
    { phase: 'Pending', initContainerStatuses: [ended('one', { exitCode: 2 }, { restartCount: 4 })] },
  ),
  pod(
    'pod-with-sidecar',
    { initContainers: [{ ...container('proxy'), restartPolicy: 'Always' }] },
    {
      phase: 'Running',
      conditions: ready,
      initContainerStatuses: [running('proxy', { restartCount: 2 })],
      containerStatuses: [running('web')],
    },
  ),
  pod(
    'pod-half-done',
    { containers: [container('web'), container('log')], restartPolicy: 'Never' },
    {
      phase: 'Running',
      containerStatuses: [ended('web', { reason: 'Completed' }), running('log')],
    },
  ),
]

function apps(
  title: string,
  plural: string,
  object: Record<string, unknown>,
  status?: Record<string, unknown>,
) {
  return { title, group: 'apps', version: 'v1', plural, namespaced: true, object, ...(status && { status }) }
}

const selector = {
  matchLabels: { app: 'web' },
  matchExpressions: [
    { key: 'tier', operator: 'NotIn', values: ['z', 'b'] },
    { key: 'old', operator: 'DoesNotExist' },
  ],
}

const workloads: TableSample[] = [
  apps(
    'deployment',
    'deployments',
    { spec: { replicas: 3, selector, template: template('web') } },
    { replicas: 3, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 },
  ),
  apps('deployment-new', 'deployments', {
    spec: { selector: { matchLabels: { app: 'web' } }, template: template('web') },
  }),
  apps(
    'replicaset',
    'replicasets',
    { spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('web') } },
    { replicas: 2, readyReplicas: 1 },
  ),
  {
    title: 'job-complete',
    group: 'batch',
    version: 'v1',
    plural: 'jobs',
    namespaced: true,
    object: {
      spec: {
        completions: 2,
        manualSelector: true,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { ...template('web').spec, restartPolicy: 'Never' },
        },
      },
    },
    status: {
      succeeded: 2,
      startTime: '2026-01-01T00:00:00Z',
      completionTime: '2026-01-01T00:05:30Z',
      conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True' })),
    },
  },
  {
    title: 'job-running',
    group: 'batch',
    version: 'v1',
    plural: 'jobs',
    namespaced: true,
    object: {
      spec: {
        parallelism: 3,
        manualSelector: true,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { ...template('web').spec, restartPolicy: 'Never' },
        },
      },
    },
  },
]

const services: TableSample[] = [
  core('service-cluster-ip', 'services', {
    spec: {
      clusterIP: '10.96.77.1',
      selector: { app: 'web', tier: 'front' },
      ports: [
        { name: 'http', port: 80, targetPort: 'http' },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    },
  }),
  core('service-headless', 'services', { spec: { clusterIP: 'None', selector: { app: 'web' } } }),
  core('service-node-port', 'services', {
    spec: { type: 'NodePort', clusterIP: '10.96.77.2', ports: [{ port: 80, nodePort: 30077 }] },
  }),
  core('service-external-name', 'services', {
    spec: { type: 'ExternalName', externalName: 'db.example.com' },
  }),
  core('service-load-balancer-pending', 'services', {
    spec: {
      type: 'LoadBalancer',
      clusterIP: '10.96.77.3',
      allocateLoadBalancerNodePorts: false,
      ports: [{ port: 443 }],
    },
  }),
  core(
    'service-load-balancer',
    'services',
    {
      spec: {
        type: 'LoadBalancer',
        clusterIP: '10.96.77.4',
        allocateLoadBalancerNodePorts: false,
        externalIPs: ['192.0.2.9'],
        ports: [{ port: 443 }],
      },
    },
    { loadBalancer: { ingress: [{ ip: '192.0.2.8' }, { hostname: 'a.example.com' }] } },
  ),
  core('endpoints', 'endpoints', {
    subsets: [
      {
        addresses: [{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }],
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81 },
        ],
      },
    ],
  }),
  core('endpoints-none', 'endpoints', {}),
  {
    title: 'endpointslice',
    group: 'discovery.k8s.io',
    version: 'v1',
    plural: 'endpointslices',
    namespaced: true,
    object: {
      addressType: 'IPv4',
      endpoints: [
        { addresses: ['10.1.0.1'] },
        { addresses: ['10.1.0.2'] },
        { addresses: ['10.1.0.3'] },
        { addresses: ['10.1.0.4'] },
      ],
      ports: [{ name: 'http', port: 3000 }, { name: 'any' }],
    },
  },
  {
    title: 'endpointslice-empty',
    group: 'discovery.k8s.io',
    version: 'v1',
    plural: 'endpointslices',
    namespaced: true,
    object: { addressType: 'IPv6', endpoints: [] },
  },
]

const others: TableSample[] = [
  core('configmap', 'configmaps', { data: { a: '1', b: '2' }, binaryData: { c: 'AA==' } }),
  core('secret', 'secrets', { stringData: { password: 'x' } }),
  core('serviceaccount', 'serviceaccounts', {}),
  { ...core('namespace', 'namespaces', {}), namespaced: false },
  {
    ...core(
      'node',
      'nodes',
      {
        metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'edge' } },
        spec: { unschedulable: true },
      },
      {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'InternalIP', address: '10.0.0.4' }],
        nodeInfo: {
          machineID: '',
          systemUUID: '',
          bootID: '',
          kernelVersion: '6.1',
          osImage: '',
          containerRuntimeVersion: 'process://1',
          kubeletVersion: 'v1.36.3',
          kubeProxyVersion: '',
          operatingSystem: 'linux',
          architecture: 'amd64',
        },
      },
    ),
    namespaced: false,
  },
  { ...core('node-new', 'nodes', {}), namespaced: false },
  core('persistentvolumeclaim', 'persistentvolumeclaims', {
    spec: {
      accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
      storageClassName: 'fast',
      resources: { requests: { storage: '1Gi' } },
    },
  }),
  core('event', 'events', {
    involvedObject: {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'tables',
      name: 'web-0',
      fieldPath: 'spec.containers{web}',
    },
    reason: 'Pulled',
    message: ' Container image was there already\n',
    type: 'Normal',
    source: { component: 'kubelet', host: 'node-1' },
    firstTimestamp: '2010-01-01T00:00:00Z',
    lastTimestamp: '2010-01-01T00:00:00Z',
    count: 4,
  }),
  {
    title: 'event-of-events-group',
    group: 'events.k8s.io',
    version: 'v1',
    plural: 'events',
    namespaced: true,
    object: {
      regarding: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'tables', name: 'web' },
      reason: 'Scaled',
      action: 'Scale',
      note: 'To three',
      type: 'Warning',
      reportingController: 'example.com/controller',
      reportingInstance: 'controller-0',
      eventTime: '2010-01-01T00:00:00.000000Z',
    },
  },
  {
    title: 'lease',
    group: 'coordination.k8s.io',
    version: 'v1',
    plural: 'leases',
    namespaced: true,
    object: { spec: { holderIdentity: 'controller-0' } },
  },
  {
    title: 'rolebinding',
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    plural: 'rolebindings',
    namespaced: true,
    object: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' },
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'joe' },
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'devs' },
        { kind: 'ServiceAccount', namespace: 'tables', name: 'robot' },
      ],
    },
  },
  {
    title: 'clusterrolebinding',
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    plural: 'clusterrolebindings',
    namespaced: false,
    object: { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' } },
  },
  {
    title: 'role',
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    plural: 'roles',
    namespaced: true,
    object: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  },
]

const networking = { group: 'networking.k8s.io', version: 'v1', namespaced: true }
const storage = { group: 'storage.k8s.io', version: 'v1', namespaced: false }
const backend = { service: { name: 'web', port: { number: 80 } } }
const rule = (host?: string) => ({
  ...(host && { host }),
  http: { paths: [{ path: '/', pathType: 'Prefix', backend }] },
})

const further: TableSample[] = [
  apps(
    'statefulset',
    'statefulsets',
    {
      spec: {
        replicas: 3,
        serviceName: 'web',
        selector: { matchLabels: { app: 'web' } },
        template: template('web'),
      },
    },
    { replicas: 3, readyReplicas: 2 },
  ),
  apps(
    'daemonset',
    'daemonsets',
    {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { ...template('web'), spec: { ...template('web').spec, nodeSelector: { disk: 'fast' } } },
      },
    },
    {
      desiredNumberScheduled: 4,
      currentNumberScheduled: 3,
      numberReady: 2,
      updatedNumberScheduled: 3,
      numberAvailable: 1,
      numberMisscheduled: 0,
    },
  ),
  apps('controllerrevision', 'controllerrevisions', {
    metadata: {
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          name: 'web',
          uid: '11111111-2222-3333-4444-555555555555',
          controller: true,
        },
      ],
    },
    revision: 7,
    data: {},
  }),
  {
    title: 'cronjob',
    group: 'batch',
    version: 'v1',
    plural: 'cronjobs',
    namespaced: true,
    object: {
      spec: {
        schedule: '*/5 * * * *',
        timeZone: 'Etc/UTC',
        jobTemplate: { spec: { template: { spec: { ...template('web').spec, restartPolicy: 'Never' } } } },
      },
    },
    status: { active: [{ name: 'cronjob-1' }], lastScheduleTime: '2010-01-01T00:00:00Z' },
  },
  {
    ...networking,
    title: 'ingress',
    plural: 'ingresses',
    object: {
      spec: {
        ingressClassName: 'public',
        tls: [{ hosts: ['a.example.com'] }],
        rules: ['a', 'b', 'c', 'd'].map((name) => rule(`${name}.example.com`)),
      },
    },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.8' }, { hostname: 'balancer.of.example.com' }] } },
  },
  { ...networking, title: 'ingress-plain', plural: 'ingresses', object: { spec: { rules: [rule()] } } },
  {
    ...networking,
    title: 'networkpolicy',
    plural: 'networkpolicies',
    object: { spec: { podSelector: selector } },
  },
  {
    ...networking,
    title: 'networkpolicy-of-all',
    plural: 'networkpolicies',
    object: { spec: { podSelector: {} } },
  },
  {
    ...core(
      'persistentvolume',
      'persistentvolumes',
      {
        spec: {
          capacity: { storage: '2Gi' },
          accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
          storageClassName: 'fast',
          hostPath: { path: '/data' },
          claimRef: { namespace: 'tables', name: 'claim' },
        },
      },
      { phase: 'Bound', lastPhaseTransitionTime: '2026-01-01T00:00:00Z' },
    ),
    namespaced: false,
  },
  core(
    'persistentvolumeclaim-bound',
    'persistentvolumeclaims',
    {
      spec: {
        accessModes: ['ReadWriteOncePod'],
        storageClassName: 'fast',
        volumeName: 'volume',
        resources: { requests: { storage: '1Gi' } },
      },
    },
    { phase: 'Bound', accessModes: ['ReadWriteOncePod'], capacity: { storage: '2Gi' } },
  ),
  {
    ...storage,
    title: 'storageclass',
    plural: 'storageclasses',
    object: {
      metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'example.com/disk',
      volumeBindingMode: 'WaitForFirstConsumer',
    },
  },
]

/** The definition whose columns {@link customSamples} exercise, one for each thing that a column can be. */
export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.tables.example.com' },
  spec: {
    group: 'tables.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
        additionalPrinterColumns: [
          { name: 'Text', type: 'string', jsonPath: '.spec.text', description: 'What it says' },
          { name: 'Number as text', type: 'string', jsonPath: '.spec.count' },
          { name: 'Truth as text', type: 'string', jsonPath: '.spec.on' },
          { name: 'Count', type: 'integer', jsonPath: '.spec.count', format: 'int32' },
          { name: 'Text as integer', type: 'integer', jsonPath: '.spec.text' },
          { name: 'Share', type: 'number', jsonPath: '.spec.share' },
          { name: 'On', type: 'boolean', jsonPath: '.spec.on', priority: 1 },
          { name: 'When', type: 'date', jsonPath: '.spec.when' },
          { name: 'Ready', type: 'string', jsonPath: '.spec.conditions[?(@.type=="Ready")].status' },
          { name: 'First', type: 'string', jsonPath: '.spec.list[0]' },
          { name: 'Last', type: 'string', jsonPath: '.spec.list[-1]' },
          { name: 'All', type: 'string', jsonPath: '.spec.list[*]' },
          { name: 'List', type: 'string', jsonPath: '.spec.list' },
          { name: 'Map', type: 'string', jsonPath: '.spec.map' },
          { name: 'Label', type: 'string', jsonPath: '.metadata.labels.example\\.com/part' },
          { name: 'Quoted', type: 'string', jsonPath: ".metadata.labels['example.com/part']" },
          { name: 'Missing', type: 'string', jsonPath: '.spec.nothing.here' },
        ],
      },
      {
        name: 'v1alpha1',
        served: true,
        storage: false,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
}

const widget = {
  metadata: { labels: { 'example.com/part': 'knob' } },
  spec: {
    text: 'hello',
    count: 3,
    share: 1.5,
    on: true,
    when: '2010-01-01T00:00:00Z',
    conditions: [
      { type: 'Synced', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
    list: ['a', 'b', 'c'],
    map: { k: { deep: [1, 'two', true] } },
  },
}

const type = (version: string) => ({ apiVersion: `tables.example.com/${version}`, kind: 'Widget' })
const custom = { group: 'tables.example.com', plural: 'widgets', namespaced: true }
const customSamples: TableSample[] = [
  { ...custom, title: 'custom', version: 'v1', object: { ...type('v1'), ...widget } },
  { ...custom, title: 'custom-empty', version: 'v1', object: type('v1') },
  {
    ...custom,
    title: 'custom-odd',
    version: 'v1',
    object: { ...type('v1'), spec: { count: 2.5, when: 'soon', text: '', on: 'no' } },
  },
  {
    ...custom,
    title: 'custom-without-columns',
    version: 'v1alpha1',
    object: { ...type('v1alpha1'), ...widget },
  },
]

/** Objects of every kind that has a table of its own, in the states that it tells apart. */
export const tableSamples: readonly TableSample[] = [
  ...pods,
  ...workloads,
  ...services,
  ...others,
  ...further,
  ...clusterSamples,
  ...customSamples,
]
