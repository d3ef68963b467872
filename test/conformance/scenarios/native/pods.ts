import { pod, pods } from '../../objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { apply, create, get, merge, pass, remove, send, strategic } from '../../steps.ts'
import { of, selector } from './native-objects.ts'

const TOPOLOGY = 'topology.kubernetes.io'
const zonedNode = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: '{ns}',
    labels: { [`${TOPOLOGY}/zone`]: 'z', [`${TOPOLOGY}/region`]: 'r', 'kubernetes.io/hostname': 'h' },
  },
}
/** Binds a Pod to a node. */
const bind = (name: string, node: string, metadata: object = {}) =>
  create(`${pods}/${name}/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, ...metadata },
    target: { kind: 'Node', name: node },
  })
const bundle = of('certificates.k8s.io/v1beta1', 'ClusterTrustBundle', 'a', { spec: { trustBundle: 'x' } })
/** A volume with a source that no release serves by default. */
const trusting = (clusterTrustBundle: object) => ({
  name: 'trust',
  projected: { sources: [{ clusterTrustBundle }] },
})

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
  scenario(
    'B native kinds',
    'Pods get the zone and the region of their node',
    create('/api/v1/nodes', zonedNode, { show: () => 'created' }),
    // A real server learns of the node some time later.
    pass('1s'),
    create(pods, pod('a', { nodeName: '{ns}' })),
    create(pods, pod('b', { nodeName: '{ns}' }, { labels: { [`${TOPOLOGY}/zone`]: 'own', app: 'web' } })),
    create(pods, pod('c', { nodeName: 'none' }, { labels: { [`${TOPOLOGY}/zone`]: 'own' } })),
    create(pods, pod('d', {}, { labels: { [`${TOPOLOGY}/zone`]: 'own' } })),
    bind('d', '{ns}', { labels: { [`${TOPOLOGY}/region`]: 'bound', app: 'bound' } }),
    get(`${pods}/d`),
    create(pods, pod('e')),
    bind('e', 'none'),
    get(`${pods}/e`),
    create(pods, pod('f')),
    create('/api/v1/~/bindings', of('v1', 'Binding', 'f', { target: { kind: 'Node', name: '{ns}' } })),
    get(`${pods}/f`),
    apply(`${pods}/g`, pod('g', { nodeName: '{ns}' })),
    // Only a new Pod gets them.
    merge(
      '/api/v1/nodes/{ns}',
      { metadata: { labels: { [`${TOPOLOGY}/zone`]: 'z2' } } },
      { show: () => 'moved' },
    ),
    merge(`${pods}/a`, { metadata: { labels: { [`${TOPOLOGY}/zone`]: null } } }),
    remove('/api/v1/nodes/{ns}', undefined, { show: () => 'removed' }),
  ),
  scenario(
    'B native kinds',
    'Pods with bundles of trusted certificates',
    get('/apis/certificates.k8s.io/v1beta1', { show: ({ code }) => code as unknown }),
    get('/apis/certificates.k8s.io/v1alpha1/clustertrustbundles'),
    get('/apis/certificates.k8s.io/v1beta1/clustertrustbundles/a'),
    create('/apis/certificates.k8s.io/v1beta1/clustertrustbundles', bundle),
    create('/apis/certificates.k8s.io/v1/clustertrustbundles', bundle),
    send('DELETE', '/apis/certificates.k8s.io/v1beta1/clustertrustbundles'),
    create(pods, pod('a', { volumes: [trusting({ name: 'a', path: 'ca.pem' })] })),
    create(
      pods,
      pod('b', {
        volumes: [
          trusting({ signerName: 'example.com/a', path: 'ca.pem', labelSelector: {}, optional: true }),
        ],
      }),
    ),
    create(
      pods,
      pod('c', {
        volumes: [
          {
            name: 'both',
            projected: {
              sources: [
                { configMap: { name: 'a' } },
                { clusterTrustBundle: { name: 'a', path: 'ca.pem' } },
                { clusterTrustBundle: {}, secret: { name: 'a' } },
              ],
            },
          },
        ],
      }),
    ),
    create(pods, pod('d', { volumes: [trusting({ name: 'a', signerName: 'b', path: '../ca.pem' })] })),
    create(pods, pod('e', { volumes: [trusting({ path: 1 })] })),
    create(pods, pod('f', { volumes: [trusting({ unknown: 1 })] }), {
      headers: { accept: 'application/json' },
    }),
    apply(`${pods}/g`, pod('g', { volumes: [trusting({ name: 'a', path: 'ca.pem' })] })),
    create(
      '/apis/apps/v1/~/deployments',
      of('apps/v1', 'Deployment', 'a', {
        spec: {
          selector,
          template: {
            metadata: { labels: selector.matchLabels },
            spec: {
              containers: [{ name: 'a', image: 'a' }],
              volumes: [trusting({ name: 'a', path: 'ca.pem' })],
            },
          },
        },
      }),
    ),
    strategic('/apis/apps/v1/~/deployments/a', {
      spec: { template: { spec: { volumes: [trusting({ signerName: 'a', path: 'b' })] } } },
    }),
  ),
]
