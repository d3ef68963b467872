import { configMap, configMaps, namespaces } from '../objects.ts'
import { scenario, topic } from '../scenario.ts'
import { apply, create, get, merge, remove, replace, send } from '../steps.ts'

const namespace = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...more },
})

/** Namespaces, as the API server alone sees them. */
export const namespaceTopic = topic('namespaces', [
  scenario(
    'B namespaces',
    'have a finalizer and a label of their name',
    get(`${namespaces}/{ns}`),
    create(namespaces, namespace('{ns}-a')),
    merge(`${namespaces}/{ns}-a`, { metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } } }),
    merge(`${namespaces}/{ns}-a`, { metadata: { labels: null } }),
    merge(`${namespaces}/{ns}-a`, { spec: { finalizers: [] } }),
    remove(`${namespaces}/{ns}-a`),
  ),
  scenario(
    'B namespaces',
    'that are going take nothing new',
    create(configMaps, configMap('a', {}, { finalizers: ['example.com/keep'] })),
    remove(`${namespaces}/{ns}`),
    remove(`${namespaces}/{ns}`),
    create(configMaps, configMap('b')),
    apply(`${configMaps}/c`, configMap('c')),
  ),
  scenario(
    'B namespaces',
    'that are going, with options',
    create(namespaces, namespace('{ns}-a', { finalizers: ['example.com/keep'] }), { as: 'a' }),
    remove(`${namespaces}/{ns}-a`, {
      preconditions: { uid: '11111111-2222-3333-4444-555555555555' },
    }),
    remove(`${namespaces}/{ns}-a`, { propagationPolicy: 'Foreground' }),
  ),
  scenario(
    'B namespaces',
    'go when their finalizers are taken off',
    create(namespaces, namespace('{ns}-a')),
    replace(`${namespaces}/{ns}-a/finalize`, {
      ...namespace('{ns}-a'),
      spec: { finalizers: ['kubernetes', 'example.com/more'] },
    }),
    replace(`${namespaces}/{ns}-a/finalize`, { ...namespace('{ns}-a'), spec: { finalizers: ['no-domain'] } }),
    replace(`${namespaces}/{ns}-a/finalize`, { ...namespace('{ns}-b'), spec: {} }),
  ),
  scenario(
    'B namespaces',
    'have names that are labels',
    create(namespaces, namespace('No_Name')),
    create(namespaces, namespace('a'.repeat(64))),
    create(namespaces, namespace('a.b')),
    create(namespaces, namespace('{ns}')),
    send('DELETE', namespaces),
    remove(`${namespaces}/default`),
    remove(`${namespaces}/kube-system`),
  ),
  scenario(
    'B namespaces',
    'have a status',
    merge(`${namespaces}/{ns}/status`, {
      status: { conditions: [{ type: 'Mine', status: 'True', reason: 'Because', message: 'so' }] },
    }),
    merge(`${namespaces}/{ns}/status`, { status: { phase: 'Terminating' } }),
    get(`${namespaces}/{ns}/status`),
  ),
])

/** Namespaces with the controllers that a cluster has. */
export const liveNamespaces = topic(
  'namespaces-live',
  [
    scenario(
      'B namespaces',
      'are given an account and a certificate',
      get('/api/v1/~/serviceaccounts/default', {
        until: 200,
        ignore: ['metadata.managedFields'],
      }),
      get('/api/v1/~/configmaps/kube-root-ca.crt', {
        until: 200,
        show: ({ kind, metadata, data }) => ({
          kind,
          annotations: Object.keys(metadata.annotations ?? {}),
          data: Object.keys(data),
        }),
      }),
    ),
    scenario(
      'B namespaces',
      'take their content with them',
      create(namespaces, namespace('{ns}-a')),
      create('/api/v1/namespaces/{ns}-a/configmaps', configMap('a')),
      remove(`${namespaces}/{ns}-a`),
      get(`${namespaces}/{ns}-a`, { until: 404 }),
      get('/api/v1/namespaces/{ns}-a/configmaps/a'),
    ),
    scenario(
      'B namespaces',
      'wait for what finalizers hold',
      create(namespaces, namespace('{ns}-a')),
      create(
        '/api/v1/namespaces/{ns}-a/configmaps',
        configMap('a', {}, { finalizers: ['example.com/keep'] }),
      ),
      create('/api/v1/namespaces/{ns}-a/configmaps', configMap('b')),
      remove(`${namespaces}/{ns}-a`),
      get('/api/v1/namespaces/{ns}-a/configmaps/b', { until: 404 }),
      get(`${namespaces}/{ns}-a`, { show: ({ status }) => status.phase }),
      merge(
        '/api/v1/namespaces/{ns}-a/configmaps/a',
        { metadata: { finalizers: null } },
        {
          show: ({ metadata }) => metadata.name,
        },
      ),
      get(`${namespaces}/{ns}-a`, { until: 404 }),
    ),
  ],
  { controllers: true },
)
