import { rulesFor, type Scenario, type Step, type WebhookInput } from './scenarios.ts'

const rules = (apiGroup: string, resources: readonly string[], ...operations: string[]) => [
  { operations, apiGroups: [apiGroup], apiVersions: ['*'], resources },
]
const DEPLOYMENTS = '/apis/apps/v1/namespaces/~/deployments'
const template = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
}
const deployment: Step = {
  method: 'POST',
  path: DEPLOYMENTS,
  body: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'x', labels: { team: 'a' } },
    spec: { replicas: 1, paused: true, selector: { matchLabels: { app: 'x' } }, template },
  },
}
const scaleTo = (replicas: number, query = ''): Step => ({
  method: 'PUT',
  path: `${DEPLOYMENTS}/x/scale${query}`,
  body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'x' }, spec: { replicas } },
})
const scaling: readonly Step[] = [
  deployment,
  scaleTo(2, '?dryRun=All'),
  scaleTo(2),
  { method: 'PATCH', path: `${DEPLOYMENTS}/x/scale`, body: { spec: { replicas: 3 } } },
  {
    method: 'PATCH',
    path: `${DEPLOYMENTS}/x/scale?fieldManager=test&force=true`,
    contentType: 'application/apply-patch+yaml',
    body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'x' }, spec: { replicas: 4 } },
  },
  { method: 'GET', path: `${DEPLOYMENTS}/x/scale` },
  { method: 'DELETE', path: `${DEPLOYMENTS}/x` },
]
const finalizing: readonly Step[] = [
  {
    method: 'PUT',
    path: '/api/v1/namespaces/~/finalize',
    body: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: '~', labels: { 'kubernetes.io/metadata.name': '~' } },
      spec: { finalizers: ['kubernetes'] },
    },
  },
]
const pod: Step = {
  method: 'POST',
  path: 'pods',
  body: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'x', labels: { team: 'a' } },
    spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false },
  },
}
const removePod: Step = { method: 'DELETE', path: 'pods/x?gracePeriodSeconds=0' }
const bind = (path: string, more: object = {}): Step => ({
  method: 'POST',
  path,
  body: {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'x' },
    target: { kind: 'Node', name: 'one' },
    ...more,
  },
})
const evict = (query = '', more: object = {}): Step => ({
  method: 'POST',
  path: `pods/x/eviction${query}`,
  body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'x' }, ...more },
})
const account: Step = {
  method: 'POST',
  path: 'serviceaccounts',
  body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'x' } },
}
const token: Step = {
  method: 'POST',
  path: 'serviceaccounts/x/token',
  body: {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 900, audiences: ['a'] },
  },
}
const service: Step = {
  method: 'POST',
  path: 'services',
  body: {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'x' },
    spec: { ports: [{ name: 'a', port: 80 }], clusterIP: 'None' },
  },
}

const node: Step = {
  method: 'POST',
  path: '/api/v1/nodes',
  body: {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'webhooks-connect' },
    // A server whose nodes get it at their creation does not add it twice.
    spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
  },
}

const inBothPhases = (
  title: string,
  webhook: WebhookInput,
  steps: readonly Step[],
  patch?: string,
): Scenario[] => [
  {
    title: `${title}, allowed`,
    mutating: [{ ...webhook, behaviour: 'allow' }],
    validating: [{ ...webhook, behaviour: 'allow' }],
    steps,
  },
  { title: `${title}, denied`, validating: [{ ...webhook, behaviour: 'deny' }], steps },
  { title: `${title}, denied before validation`, mutating: [{ ...webhook, behaviour: 'deny' }], steps },
  ...(patch === undefined
    ? []
    : [
        {
          title: `${title}, changed`,
          mutating: [{ ...webhook, behaviour: patch }],
          validating: [{ ...webhook, behaviour: 'allow' }],
          steps,
        },
      ]),
]

const connecting = (path: string, method: Step['method'] = 'POST'): readonly Step[] => [{ method, path }]

/** Writes to subresources whose objects have a kind of their own, and connections. */
export const subresourceScenarios: readonly Scenario[] = [
  ...inBothPhases('scale', { rules: rules('apps', ['deployments/scale'], '*') }, scaling, 'replicas'),
  {
    title: 'scale, patched badly',
    mutating: [{ behaviour: 'negative-replicas', rules: rules('apps', ['*/scale'], 'UPDATE') }],
    steps: [deployment, scaleTo(2), { method: 'DELETE', path: `${DEPLOYMENTS}/x` }],
  },
  {
    title: 'scale, selected by the labels of the object',
    validating: [
      {
        behaviour: 'deny',
        rules: rules('apps', ['deployments/scale'], 'UPDATE'),
        objectSelector: { matchLabels: { team: 'a' } },
      },
    ],
    steps: [deployment, scaleTo(2), { method: 'DELETE', path: `${DEPLOYMENTS}/x` }],
  },
  {
    title: 'an update that changes nothing',
    mutating: [{ behaviour: 'allow', rules: rulesFor('UPDATE') }],
    validating: [{ behaviour: 'deny', rules: rulesFor('UPDATE') }],
    steps: [
      {
        method: 'POST',
        path: 'configmaps',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: '1' } },
      },
      { method: 'PATCH', path: 'configmaps/x', body: { data: { a: '1' } } },
      { method: 'DELETE', path: 'configmaps/x' },
    ],
  },
  ...inBothPhases('finalize', { rules: rules('', ['namespaces/finalize'], '*') }, finalizing, 'annotate'),
  ...['change-status', 'change-phase'].map((behaviour) => ({
    title: `finalize, ${behaviour}`,
    mutating: [{ behaviour, rules: rules('', ['namespaces/finalize'], '*') }],
    validating: [{ behaviour: 'allow', rules: rules('', ['namespaces/finalize'], '*') }],
    steps: [...finalizing, { method: 'GET', path: '/api/v1/namespaces/~' } as const],
  })),
  ...inBothPhases(
    'binding',
    { rules: rules('', ['pods/binding'], '*') },
    [
      pod,
      bind('pods/x/binding?dryRun=All'),
      bind('pods/x/binding', { metadata: { name: 'y' } }),
      bind('pods/x/binding', { target: {} }),
      bind('pods/x/binding'),
      bind('pods/x/binding'),
      removePod,
    ],
    'bind-elsewhere',
  ),
  ...inBothPhases(
    'bindings',
    { rules: rules('', ['bindings'], '*') },
    [pod, bind('bindings'), bind('bindings'), removePod],
    'bind-elsewhere',
  ),
  ...inBothPhases(
    'eviction',
    { rules: rules('', ['pods/eviction'], '*') },
    [
      pod,
      evict('?dryRun=All'),
      evict('', { metadata: { name: 'y' } }),
      evict('', { deleteOptions: { gracePeriodSeconds: 0 } }),
      { method: 'GET', path: 'pods/x' },
      removePod,
    ],
    'evict-dry',
  ),
  {
    title: 'eviction, and the deletion that follows it',
    validating: [{ behaviour: 'deny', rules: rules('', ['pods'], 'DELETE') }],
    steps: [pod, evict('', { deleteOptions: { gracePeriodSeconds: 0 } }), { method: 'GET', path: 'pods/x' }],
  },
  ...inBothPhases(
    'token',
    { rules: rules('', ['serviceaccounts/token'], '*') },
    [
      account,
      token,
      { ...token, path: 'serviceaccounts/absent/token' },
      { ...token, path: 'serviceaccounts/x/token?dryRun=All' },
      { method: 'DELETE', path: 'serviceaccounts/x' },
    ],
    'longer-token',
  ),
  ...[
    ['exec', 'pods/x/exec?command=ls&command=-l&container=c&stdin=true'],
    ['attach', 'pods/x/attach?stdout=false&tty=1'],
    ['portforward', 'pods/x/portforward?ports=80&ports=81'],
  ].flatMap(([name = '', path = '']) =>
    inBothPhases(
      `connect, ${name}`,
      { rules: rules('', [`pods/${name}`], 'CONNECT') },
      [pod, ...connecting(path), ...connecting(path, 'GET'), removePod],
      name === 'exec' ? 'another-command' : undefined,
    ),
  ),
  {
    title: 'connect, to a Pod that is not there',
    validating: [{ behaviour: 'deny', rules: rules('', ['pods/*'], '*') }],
    steps: connecting('pods/absent/exec?command=ls'),
  },
  {
    title: 'connect, selected by the labels of the object',
    validating: [
      {
        behaviour: 'deny',
        rules: rules('', ['pods/exec'], '*'),
        objectSelector: { matchLabels: { team: 'a' } },
      },
    ],
    steps: [pod, ...connecting('pods/x/exec?command=ls'), removePod],
  },
  {
    title: 'connect, a warning',
    validating: [{ behaviour: 'warn', rules: rules('', ['pods/exec'], 'CONNECT') }],
    steps: [pod, ...connecting('pods/x/exec?command=ls'), removePod],
  },
  ...inBothPhases('connect, proxy of a Service', { rules: rules('', ['services/proxy'], 'CONNECT') }, [
    service,
    ...connecting('services/x:a/proxy/some/path?q=1', 'GET'),
    ...connecting('services/x/proxy', 'GET'),
    { method: 'DELETE', path: 'services/x' },
  ]),
  ...inBothPhases('connect, proxy of a Node', { rules: rules('', ['nodes/proxy'], 'CONNECT') }, [
    node,
    ...connecting('/api/v1/nodes/webhooks-connect/proxy/some/path?q=1', 'GET'),
    ...connecting('/api/v1/nodes/webhooks-connect:10250/proxy', 'GET'),
    { method: 'DELETE', path: '/api/v1/nodes/webhooks-connect' },
  ]),
  ...inBothPhases('connect, proxy of a Pod', { rules: rules('', ['pods/proxy'], 'CONNECT') }, [
    pod,
    ...connecting('pods/x:80/proxy/some/path', 'PUT'),
    removePod,
  ]),
]
