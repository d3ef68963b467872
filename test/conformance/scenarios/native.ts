import { deployment, deployments, pod, pods, secrets, service, services } from '../objects.ts'
import { scenario, topic } from '../scenario.ts'
import { create, get, merge, remove, replace } from '../steps.ts'

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
}
const selector = { matchLabels: { app: 'web' } }
const of = (apiVersion: string, kind: string, name: string, more: object) => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
})

const autoscalers = '/apis/autoscaling/v2/~/horizontalpodautoscalers'
const autoscaler = (name: string, target: object) =>
  of('autoscaling/v2', 'HorizontalPodAutoscaler', name, {
    spec: { scaleTargetRef: { name: 'web', ...target }, maxReplicas: 5 },
  })

/** What the native kinds fill in, refuse and give out. */
export const native = topic('native', [
  scenario(
    'B native kinds',
    'Pods are filled in',
    create(pods, pod('a')),
    create(
      pods,
      pod('b', {
        initContainers: [{ name: 'init', image: 'init' }],
        containers: [
          {
            name: 'web',
            image: 'web:latest',
            ports: [{ name: 'http', containerPort: 3000 }],
            readinessProbe: { httpGet: { path: '/', port: 'http' } },
            livenessProbe: { exec: { command: ['true'] } },
            startupProbe: { grpc: { port: 5 } },
            resources: { limits: { cpu: '1', memory: '1Gi' } },
            env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            volumeMounts: [{ name: 'book', mountPath: '/book' }],
            lifecycle: { preStop: { httpGet: { port: 80 } } },
            securityContext: { runAsUser: 1000 },
          },
        ],
        volumes: [
          { name: 'book', configMap: { name: 'markdowns' } },
          { name: 'secret', secret: { secretName: 's' } },
          { name: 'host', hostPath: { path: '/tmp' } },
          { name: 'scratch', emptyDir: {} },
          { name: 'all', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
          {
            name: 'down',
            downwardAPI: { items: [{ path: 'x', fieldRef: { fieldPath: 'metadata.labels' } }] },
          },
        ],
      }),
    ),
  ),
  scenario(
    'B native kinds',
    'Pods are refused',
    create(pods, pod('a', { containers: [] })),
    create(pods, pod('a', { containers: [{ name: 'A_b', image: '' }] })),
    create(
      pods,
      pod('a', {
        containers: [
          { name: 'a', image: 'a' },
          { name: 'a', image: 'a' },
        ],
      }),
    ),
    create(pods, pod('a', { containers: [{ name: 'a', image: 'a', ports: [{ containerPort: 0 }] }] })),
    create(
      pods,
      pod('a', {
        containers: [{ name: 'a', image: 'a', volumeMounts: [{ name: 'none', mountPath: '/x' }] }],
      }),
    ),
    create(pods, pod('a', { restartPolicy: 'Sometimes' })),
    create(
      pods,
      pod('a', { containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: 'much' } } }] }),
      { ignore: ['message'] },
    ),
    create(
      pods,
      pod('a', {
        containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }],
      }),
    ),
    create(pods, pod('a', { terminationGracePeriodSeconds: -1 })),
  ),
  scenario(
    'B native kinds',
    'Pods cannot change much',
    create(pods, pod('a')),
    merge(`${pods}/a`, { spec: { containers: [{ name: 'web', image: 'web:2' }] } }),
    merge(`${pods}/a`, { spec: { activeDeadlineSeconds: 10 } }),
    merge(`${pods}/a`, { spec: { nodeName: 'x' } }, { ignore: ['message', 'details.causes.0.message'] }),
    merge(
      `${pods}/a`,
      { spec: { restartPolicy: 'Never' } },
      { ignore: ['message', 'details.causes.0.message'] },
    ),
  ),
  scenario(
    'B native kinds',
    'Pods are placed on nodes',
    create(pods, pod('a')),
    create(`${pods}/a/binding`, of('v1', 'Binding', 'a', { target: { kind: 'Node', name: 'node-1' } })),
    get(`${pods}/a`),
    create(`${pods}/a/binding`, of('v1', 'Binding', 'a', { target: { kind: 'Node', name: 'node-2' } })),
    create(`${pods}/none/binding`, of('v1', 'Binding', 'none', { target: { kind: 'Node', name: 'node-2' } })),
    create(pods, pod('b')),
    create(`${pods}/b/binding`, of('v1', 'Binding', 'b', { target: { kind: 'Node' } })),
    create('/api/v1/~/bindings', of('v1', 'Binding', 'b', { target: { kind: 'Node', name: 'node-3' } })),
  ),
  scenario(
    'B native kinds',
    'Pods are evicted',
    create(pods, pod('a')),
    create(`${pods}/a/eviction`, of('policy/v1', 'Eviction', 'a', {})),
    get(`${pods}/a`),
    create(`${pods}/none/eviction`, of('policy/v1', 'Eviction', 'none', {})),
    create(pods, pod('b', { nodeName: 'n' }, { labels: { app: 'web' } })),
    merge(`${pods}/b/status`, {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    }),
    create(
      '/apis/policy/v1/~/poddisruptionbudgets',
      of('policy/v1', 'PodDisruptionBudget', 'a', { spec: { minAvailable: 1, selector } }),
    ),
    create(`${pods}/b/eviction`, of('policy/v1', 'Eviction', 'b', {})),
  ),
  scenario(
    'B native kinds',
    'workloads are filled in',
    create(deployments, deployment('a')),
    create(deployments, deployment('b', { strategy: { type: 'Recreate' }, replicas: 0 })),
    create('/apis/apps/v1/~/replicasets', of('apps/v1', 'ReplicaSet', 'a', { spec: { selector, template } })),
    create(
      '/apis/apps/v1/~/statefulsets',
      of('apps/v1', 'StatefulSet', 'a', { spec: { selector, template, serviceName: 's' } }),
    ),
    create('/apis/apps/v1/~/daemonsets', of('apps/v1', 'DaemonSet', 'a', { spec: { selector, template } })),
  ),
  scenario(
    'B native kinds',
    'workloads are refused',
    create(deployments, deployment('a', { selector: { matchLabels: { app: 'other' } } })),
    create(deployments, deployment('a', { selector: null })),
    create(deployments, deployment('a', { replicas: -1 })),
    create(deployments, deployment('a', { strategy: { type: 'Sudden' } })),
    create(deployments, deployment('a', { template: { metadata: { labels: { app: 'web' } }, spec: {} } })),
    create(deployments, deployment('a', { strategy: { type: 'Recreate', rollingUpdate: {} } })),
  ),
  scenario(
    'B native kinds',
    'workloads keep their selector',
    create(deployments, deployment('a')),
    merge(`${deployments}/a`, {
      spec: { selector: { matchLabels: { x: '1' } }, template: { metadata: { labels: { x: '1' } } } },
    }),
    create(
      '/apis/apps/v1/~/statefulsets',
      of('apps/v1', 'StatefulSet', 'a', { spec: { selector, template, serviceName: 's' } }),
    ),
    merge('/apis/apps/v1/~/statefulsets/a', { spec: { serviceName: 'other' } }),
  ),
  scenario(
    'B native kinds',
    'Jobs',
    create(
      '/apis/batch/v1/~/jobs',
      of('batch/v1', 'Job', 'a', {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
      }),
    ),
    create(
      '/apis/batch/v1/~/jobs',
      of('batch/v1', 'Job', 'b', {
        spec: { template: { spec: { containers: [{ name: 'a', image: 'a' }] } } },
      }),
    ),
    merge('/apis/batch/v1/~/jobs/a', { spec: { completions: 5 } }),
    merge('/apis/batch/v1/~/jobs/a', { spec: { suspend: true } }),
    remove('/apis/batch/v1/~/jobs/a', undefined),
  ),
  scenario(
    'B native kinds',
    'CronJobs',
    create(
      '/apis/batch/v1/~/cronjobs',
      of('batch/v1', 'CronJob', 'a', {
        spec: {
          schedule: '*/5 * * * *',
          jobTemplate: {
            spec: {
              template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'a', image: 'a' }] } },
            },
          },
        },
      }),
    ),
    create(
      '/apis/batch/v1/~/cronjobs',
      of('batch/v1', 'CronJob', 'b', {
        spec: {
          schedule: 'often',
          jobTemplate: {
            spec: {
              template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'a', image: 'a' }] } },
            },
          },
        },
      }),
    ),
    create(
      '/apis/batch/v1/~/cronjobs',
      of('batch/v1', 'CronJob', 'c', {
        spec: {
          schedule: '0 0 * * *',
          timeZone: 'Nowhere/None',
          jobTemplate: {
            spec: {
              template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'a', image: 'a' }] } },
            },
          },
        },
      }),
    ),
  ),
  scenario(
    'B native kinds',
    'Services are given addresses',
    create(services, service('a')),
    create(services, service('b', { clusterIP: 'None' })),
    create(services, service('c', { type: 'NodePort' })),
    create(services, service('d', { type: 'LoadBalancer' })),
    create(services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'e' },
      spec: { type: 'ExternalName', externalName: 'db.example.com' },
    }),
  ),
  scenario(
    'B native kinds',
    'Services are refused',
    create(services, service('a', { ports: [] })),
    create(services, service('a', { ports: [{ port: 80 }, { port: 81 }] })),
    create(services, service('a', { ports: [{ port: 0 }] })),
    create(services, service('a', { type: 'Strange' })),
    create(services, service('a', { clusterIP: '1.2.3.4' })),
    create(services, service('a', { clusterIP: 'nonsense' })),
    create(services, service('a', { sessionAffinity: 'Sometimes' })),
    create(services, service('a', { type: 'ExternalName' })),
  ),
  scenario(
    'B native kinds',
    'Services that change',
    create(services, service('a')),
    merge(`${services}/a`, { spec: { type: 'NodePort' } }),
    merge(`${services}/a`, { spec: { type: 'ClusterIP' } }),
    merge(`${services}/a`, { spec: { clusterIP: '10.96.0.200' } }, { ignore: ['message', 'details'] }),
    merge(`${services}/a`, { spec: { type: 'ExternalName', externalName: 'x.example.com' } }),
    replace(`${services}/a`, service('a')),
  ),
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
])
