import { pod, pods } from '../../objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { create, get, merge } from '../../steps.ts'
import { of, selector } from './native-objects.ts'

/** Pods. */
export const podKind: readonly Scenario[] = [
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
]
