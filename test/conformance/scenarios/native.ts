import { secrets } from '../objects.ts'
import { scenario, topic, type Scenario } from '../scenario.ts'
import { create, get, merge, remove } from '../steps.ts'
import { of, selector } from './native/native-objects.ts'
import { generations } from './native/generations.ts'
import { nodeKind } from './native/nodes.ts'
import { podKind } from './native/pods.ts'
import { workloads } from './native/workloads.ts'
import { serviceKind } from './native/services.ts'

const autoscalers = '/apis/autoscaling/v2/~/horizontalpodautoscalers'
const autoscaler = (name: string, target: object) =>
  of('autoscaling/v2', 'HorizontalPodAutoscaler', name, {
    spec: { scaleTargetRef: { name: 'web', ...target }, maxReplicas: 5 },
  })

/** All other native kinds. */
const others: readonly Scenario[] = [
  scenario(
    'B native kinds',
    'Secrets',
    create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      stringData: { x: 'y' },
      data: { z: 'eg==' },
    }),
    create(
      secrets,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b' }, data: { x: '!' } },
      { ignore: ['message'] },
    ),
    create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'c' }, type: 'kubernetes.io/tls' }),
    create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'd' },
      type: 'kubernetes.io/basic-auth',
      stringData: { username: 'u' },
    }),
    create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'e' },
      type: 'kubernetes.io/dockerconfigjson',
      stringData: { '.dockerconfigjson': 'x' },
    }),
    create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'f' }, data: { 'bad key': '' } }),
    merge(`${secrets}/a`, { type: 'other' }),
    merge(`${secrets}/a`, { stringData: { x: 'new' } }),
  ),
  scenario(
    'B native kinds',
    'volumes and claims',
    create(
      '/api/v1/~/persistentvolumeclaims',
      of('v1', 'PersistentVolumeClaim', 'a', {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      }),
    ),
    create('/api/v1/~/persistentvolumeclaims', of('v1', 'PersistentVolumeClaim', 'b', { spec: {} })),
    merge(
      '/api/v1/~/persistentvolumeclaims/a',
      { spec: { accessModes: ['ReadWriteMany'] } },
      { ignore: ['message', 'details.causes.0.message'] },
    ),
    create(
      '/api/v1/persistentvolumes',
      of('v1', 'PersistentVolume', '{ns}', {
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/x' } },
      }),
    ),
    remove('/api/v1/persistentvolumes/{ns}'),
    merge('/api/v1/persistentvolumes/{ns}', { metadata: { finalizers: null } }),
  ),
  scenario(
    'B native kinds',
    'Ingresses and network policies',
    create(
      '/apis/networking.k8s.io/v1/~/ingresses',
      of('networking.k8s.io/v1', 'Ingress', 'a', {
        spec: {
          rules: [
            {
              host: 'a.example.com',
              http: {
                paths: [
                  {
                    path: '/',
                    pathType: 'Prefix',
                    backend: { service: { name: 's', port: { number: 80 } } },
                  },
                ],
              },
            },
          ],
        },
      }),
    ),
    create(
      '/apis/networking.k8s.io/v1/~/ingresses',
      of('networking.k8s.io/v1', 'Ingress', 'b', {
        spec: { rules: [{ http: { paths: [{ path: 'x', backend: {} }] } }] },
      }),
    ),
    create('/apis/networking.k8s.io/v1/~/ingresses', of('networking.k8s.io/v1', 'Ingress', 'c', {})),
    create(
      '/apis/networking.k8s.io/v1/~/networkpolicies',
      of('networking.k8s.io/v1', 'NetworkPolicy', 'a', {
        spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
      }),
    ),
  ),
  scenario(
    'B native kinds',
    'budgets and autoscalers',
    create(
      '/apis/policy/v1/~/poddisruptionbudgets',
      of('policy/v1', 'PodDisruptionBudget', 'a', { spec: { minAvailable: 1, selector } }),
    ),
    create(
      '/apis/policy/v1/~/poddisruptionbudgets',
      of('policy/v1', 'PodDisruptionBudget', 'b', { spec: { minAvailable: 1, maxUnavailable: 1, selector } }),
    ),
    create(
      '/apis/autoscaling/v2/~/horizontalpodautoscalers',
      of('autoscaling/v2', 'HorizontalPodAutoscaler', 'a', {
        spec: { scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' }, maxReplicas: 5 },
      }),
    ),
    create(
      '/apis/autoscaling/v2/~/horizontalpodautoscalers',
      of('autoscaling/v2', 'HorizontalPodAutoscaler', 'b', {
        spec: { scaleTargetRef: { kind: 'Deployment', name: 'a' }, minReplicas: 9, maxReplicas: 5 },
      }),
    ),
  ),
  scenario(
    'B native kinds',
    'what autoscalers scale',
    create(autoscalers, autoscaler('a', { apiVersion: 'v1', kind: 'ReplicationController' })),
    create(autoscalers, autoscaler('b', { kind: 'ReplicationController' })),
    create(autoscalers, autoscaler('c', { apiVersion: '/v1', kind: 'ReplicationController' })),
    create(autoscalers, autoscaler('d', { apiVersion: 'a/b/c', kind: 'ReplicationController' })),
    create(autoscalers, autoscaler('e', { apiVersion: 'v1', kind: 'Deployment' })),
    create(autoscalers, autoscaler('f', { apiVersion: 'apps/v1', kind: 'ReplicationController' })),
    create('/apis/autoscaling/v1/~/horizontalpodautoscalers', {
      ...autoscaler('g', { apiVersion: 'v1', kind: 'ReplicationController' }),
      apiVersion: 'autoscaling/v1',
    }),
    merge(`${autoscalers}/a`, { spec: { maxReplicas: 6 } }),
    merge(`${autoscalers}/a`, { spec: { scaleTargetRef: { kind: 'Deployment' } } }),
    merge(`${autoscalers}/a`, { spec: { scaleTargetRef: { name: 'other' } } }),
  ),
  scenario(
    'B native kinds',
    'leases, events and slices',
    create(
      '/apis/coordination.k8s.io/v1/~/leases',
      of('coordination.k8s.io/v1', 'Lease', 'a', {
        spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.123456Z' },
      }),
    ),
    create(
      '/apis/coordination.k8s.io/v1/~/leases',
      of('coordination.k8s.io/v1', 'Lease', 'b', { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }),
    ),
    create(
      '/api/v1/~/events',
      of('v1', 'Event', 'a', {
        involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}' },
        reason: 'R',
        message: 'm',
        type: 'Normal',
      }),
    ),
    get('/apis/events.k8s.io/v1/~/events/a'),
    create(
      '/api/v1/~/events',
      of('v1', 'Event', 'b', { involvedObject: { kind: 'Pod', name: 'p', namespace: 'other' } }),
    ),
    create(
      '/apis/discovery.k8s.io/v1/~/endpointslices',
      of('discovery.k8s.io/v1', 'EndpointSlice', 'a', {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.1.0.1'] }],
        ports: [{ port: 80 }],
      }),
    ),
    create(
      '/apis/discovery.k8s.io/v1/~/endpointslices',
      of('discovery.k8s.io/v1', 'EndpointSlice', 'b', {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['nonsense'] }],
      }),
    ),
  ),
  scenario(
    'B native kinds',
    'quotas, limits, priorities and classes',
    create(
      '/api/v1/~/resourcequotas',
      of('v1', 'ResourceQuota', 'a', { spec: { hard: { pods: '10', 'requests.cpu': '2' } } }),
    ),
    create(
      '/api/v1/~/limitranges',
      of('v1', 'LimitRange', 'a', { spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } }),
    ),
    create(
      '/apis/scheduling.k8s.io/v1/priorityclasses',
      of('scheduling.k8s.io/v1', 'PriorityClass', '{ns}', { value: 5 }),
    ),
    remove('/apis/scheduling.k8s.io/v1/priorityclasses/{ns}'),
    create(
      '/apis/storage.k8s.io/v1/storageclasses',
      of('storage.k8s.io/v1', 'StorageClass', '{ns}', { provisioner: 'example.com/x' }),
    ),
    remove('/apis/storage.k8s.io/v1/storageclasses/{ns}'),
  ),
]

/** The values that native kinds fill in, refuse and allocate. */
export const native = topic('native', [
  ...podKind,
  ...nodeKind,
  ...generations,
  ...workloads,
  ...serviceKind,
  ...others,
])
