import { configMap, configMaps, pod, pods, secret, secrets } from '../objects.ts'
import { scenario, topic } from '../scenario.ts'
import { create, get, merge, remove, send } from '../steps.ts'

const gzip = { headers: { 'accept-encoding': 'gzip' } }
const large = { x: 'a'.repeat(200_000) }
const brief = { show: ({ metadata }: any) => metadata.name }

/** The behaviour of the transport itself. */
export const transport = topic(
  'transport',
  [
    scenario(
      'C gzip',
      'packs what is large',
      create(configMaps, configMap('a', large), brief),
      get(`${configMaps}/a`, gzip),
      get(`${configMaps}/a`, brief),
      get(`${configMaps}/a`, { headers: { 'accept-encoding': 'identity' }, ...brief }),
    ),
    scenario(
      'C gzip',
      'leaves what is small',
      create(configMaps, configMap('a', { x: '1' })),
      get(`${configMaps}/a`, gzip),
      get(`${configMaps}/none`, gzip),
    ),
    scenario(
      'C gzip',
      'packs lists, and nothing for who does not ask',
      create(secrets, secret('a', { annotations: { large: 'a'.repeat(150_000) } }), brief),
      get(secrets, gzip),
      get(secrets, { headers: { 'accept-encoding': 'br, deflate' }, show: ({ kind }) => kind }),
      get(secrets, { headers: { 'accept-encoding': 'deflate, gzip;q=1.0, *;q=0.5' } }),
    ),
    scenario(
      'C gzip',
      'answers a HEAD without a body',
      create(configMaps, configMap('a')),
      send('HEAD', `${configMaps}/a`),
      send('OPTIONS', `${configMaps}/a`),
    ),
  ],
  { port: true },
)

/** The output of containers, where there is none. */
export const logs = topic('logs', [
  scenario(
    'C logs',
    'of a Pod that is not there, or not placed',
    get(`${pods}/none/log`),
    create(pods, pod('a')),
    get(`${pods}/a/log`),
    get(`${pods}/a/log?container=web`),
    get(`${pods}/a/log?container=none`),
  ),
  scenario(
    'C logs',
    'of a Pod with several containers',
    create(
      pods,
      pod('a', {
        containers: [
          { name: 'web', image: 'a' },
          { name: 'log', image: 'b' },
        ],
        initContainers: [{ name: 'first', image: 'c' }],
      }),
    ),
    get(`${pods}/a/log`),
    get(`${pods}/a/log?container=first`),
    get(`${pods}/a/log?container=none`),
  ),
  scenario(
    'C logs',
    'with options that make no sense',
    create(pods, pod('a')),
    get(`${pods}/a/log?tailLines=-1`),
    get(`${pods}/a/log?sinceSeconds=0`),
    get(`${pods}/a/log?sinceSeconds=5&sinceTime=2020-01-01T00:00:00Z`),
    get(`${pods}/a/log?tailLines=many`),
    get(`${pods}/a/log?limitBytes=0`),
    get(`${pods}/a/log?stream=Other`),
    create(`${pods}/a/log`, {}),
  ),
])

const nodes = '/api/v1/nodes'
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: '{ns}' } }
const exec = 'exec?command=x&stdout=1'
const several = {
  containers: [
    { name: 'web', image: 'a' },
    { name: 'log', image: 'b' },
  ],
  initContainers: [{ name: 'first', image: 'c' }],
}

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const jane = { headers: { 'impersonate-user': '{ns}-jane' } }
const role = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'reader' },
  rules: [{ apiGroups: [''], resources: ['pods', 'pods/exec', 'pods/portforward'], verbs: ['get'] }],
}
const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'reader' },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: '{ns}-jane' }],
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
}

/** Commands in containers and connections to their ports, as far as they go without a node. */
export const podStreams = topic('pod-streams', [
  scenario(
    'C streams',
    'of a Pod that is not there, or not placed',
    get(`${pods}/none/${exec}`),
    create(`${pods}/none/${exec}`, undefined),
    get(`${pods}/none/attach?stdout=1`),
    get(`${pods}/none/portforward`),
    create(pods, pod('a'), brief),
    get(`${pods}/a/${exec}`),
    create(`${pods}/a/attach?stdout=1`, undefined),
    get(`${pods}/a/portforward?ports=80`),
    create(pods, pod('b', { nodeName: '{ns}' }), brief),
    get(`${pods}/b/${exec}`),
    get(`${pods}/b/portforward`),
  ),
  scenario(
    'C streams',
    'of containers that are not there, or of one of several',
    create(pods, pod('a', several), brief),
    get(`${pods}/a/${exec}`),
    get(`${pods}/a/${exec}&container=none`),
    get(`${pods}/a/${exec}&container=first`),
    get(`${pods}/a/attach?stdout=1`),
    get(`${pods}/a/attach?stdout=1&container=none`),
  ),
  scenario(
    'C streams',
    'that stay what they are: requests that are not upgraded',
    create(nodes, node, brief),
    merge(
      `${nodes}/{ns}/status`,
      { status: { addresses: [{ type: 'InternalIP', address: '127.0.0.1' }] } },
      brief,
    ),
    create(pods, pod('a', { nodeName: '{ns}' }), brief),
    get(`${pods}/a/${exec}`),
    create(`${pods}/a/${exec}`, undefined),
    get(`${pods}/a/attach?stdout=1`),
    get(`${pods}/a/portforward?ports=80`),
    send('PUT', `${pods}/a/exec`),
    send('DELETE', `${pods}/a/exec`),
    remove(`${nodes}/{ns}`, undefined, { show: ({ status }) => status as unknown }),
  ),
  scenario(
    'C streams',
    'for who may only read',
    create(pods, pod('a'), brief),
    create(`${rbac}/~/roles`, role, brief),
    create(`${rbac}/~/rolebindings`, binding, brief),
    get(`${pods}/a`, { ...jane, until: 200, ...brief }),
    get(`${pods}/a/${exec}`, jane),
    create(`${pods}/a/${exec}`, undefined, jane),
    get(`${pods}/a/attach`, jane),
    get(`${pods}/a/portforward`, jane),
    get(`${pods}/none/portforward`, jane),
  ),
])
