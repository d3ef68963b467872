import { clusterSamples } from './cluster-table-samples.ts'
import type { TableSample } from './table-sample.ts'
import { apps, core, selector, template } from './table-samples/objects.ts'
import { pods } from './table-samples/pods.ts'
import { workloads } from './table-samples/workloads.ts'
import { services } from './table-samples/services.ts'
import { customSamples } from './table-samples/custom-resources.ts'

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
