/** A webhook of a configuration: its behaviour, and fields that differ from the usual ones. */
export interface WebhookInput {
  readonly behaviour?: string
  /** Whether the path in its URL has slashes to spare. */
  readonly hasSlashes?: boolean
  /** Whether the configuration trusts the webhook's certificate itself, in place of its authority. */
  readonly isPinned?: boolean
  readonly [field: string]: unknown
}

export interface Scenario {
  readonly title: string
  /** The webhooks of one configuration each, in the order of the configurations' names. */
  readonly mutating?: readonly WebhookInput[]
  readonly validating?: readonly WebhookInput[]
  readonly steps: readonly Step[]
}

export interface Step {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET'
  /** Below the namespace of the test, unless it begins with a slash. */
  readonly path: string
  readonly body?: unknown
  readonly contentType?: string
}

const create = (more: object = {}): Step => ({
  method: 'POST',
  path: 'configmaps',
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: '1' }, ...more },
})
const remove: Step = { method: 'DELETE', path: 'configmaps/x' }
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
const labelled = (value: string) => create({ metadata: { name: 'x', labels: { team: value } } })

const refusing = [
  'deny',
  'deny-with-causes',
  'deny-without-words',
  'deny-by-reason',
  'deny-with-200',
  'warn-and-deny',
  'no-response',
  'other-uid',
  'other-version',
  'no-kind',
  'empty-body',
  'rubbish',
  'server-error',
  'not-found',
  'status-error',
]
const badPatches = [
  'patch-that-fits-not',
  'patch-name',
  'patch-uid',
  'patch-invalid',
  'patch-without-type',
  'type-without-patch',
  'other-patch-type',
  'patch-no-list',
  'patch-no-json',
]
/** A rule for some operations on ConfigMaps. */
export const rulesFor = (...operations: string[]) => [
  { operations, apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
]

export const scenarios: readonly Scenario[] = [
  ...refusing.flatMap((behaviour) => [
    { title: `validating, ${behaviour}`, validating: [{ behaviour }], steps: [create(), remove] },
    { title: `mutating, ${behaviour}`, mutating: [{ behaviour }], steps: [create(), remove] },
    {
      title: `validating and ignored, ${behaviour}`,
      validating: [{ behaviour, failurePolicy: 'Ignore' }],
      steps: [create(), remove],
    },
  ]),
  ...badPatches.flatMap((behaviour) => [
    { title: `mutating, ${behaviour}`, mutating: [{ behaviour }], steps: [create(), remove] },
    {
      title: `mutating and ignored, ${behaviour}`,
      mutating: [{ behaviour, failurePolicy: 'Ignore' }],
      steps: [create(), remove],
    },
  ]),
  { title: 'validating, with a patch', validating: [{ behaviour: 'label' }], steps: [create(), remove] },
  { title: 'validating, warnings', validating: [{ behaviour: 'warn' }], steps: [create(), remove] },
  { title: 'mutating, warnings', mutating: [{ behaviour: 'warn' }], steps: [create(), remove] },
  ...['audit', 'audit-of-numbers', 'audit-of-a-list', 'warnings-of-numbers', 'allowed-as-text'].flatMap(
    (behaviour) => [
      { title: `validating, ${behaviour}`, validating: [{ behaviour }], steps: [create(), remove] },
      { title: `mutating, ${behaviour}`, mutating: [{ behaviour }], steps: [create(), remove] },
    ],
  ),
  { title: 'mutating, a label', mutating: [{ behaviour: 'label' }], steps: [create(), remove] },
  {
    title: 'mutating, an empty patch',
    mutating: [{ behaviour: 'patch-nothing' }],
    steps: [create(), remove],
  },
  {
    title: 'mutating, in every verb',
    mutating: [{ behaviour: 'data' }],
    steps: [
      create(),
      {
        method: 'PUT',
        path: 'configmaps/x',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { b: '2' } },
      },
      { method: 'PATCH', path: 'configmaps/x', body: { data: { extra: null, c: '3' } } },
      {
        method: 'PATCH',
        path: 'configmaps/x?fieldManager=test&force=true',
        contentType: 'application/apply-patch+yaml',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { d: '4' } },
      },
      {
        ...create(),
        path: 'configmaps?dryRun=All',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'y' }, data: {} },
      },
      { method: 'GET', path: 'configmaps/x' },
    ],
  },
  {
    title: 'mutating, defaults follow',
    mutating: [
      {
        behaviour: 'patch-port',
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['services'] }],
      },
    ],
    steps: [service, { method: 'DELETE', path: 'services/x' }],
  },
  {
    title: 'mutating, an unknown field',
    mutating: [
      {
        behaviour: 'patch-unknown-field',
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['services'] }],
      },
    ],
    steps: [service, { method: 'DELETE', path: 'services/x' }],
  },
  {
    title: 'mutating, of a deletion',
    mutating: [{ behaviour: 'label', rules: rulesFor('DELETE') }],
    steps: [create(), remove],
  },
  {
    title: 'validating, of a deletion',
    validating: [{ behaviour: 'deny', rules: rulesFor('DELETE') }],
    steps: [create(), remove],
  },
  {
    title: 'validating, of an update',
    validating: [{ behaviour: 'deny', rules: rulesFor('UPDATE') }],
    steps: [create(), { method: 'PATCH', path: 'configmaps/x', body: { data: { a: '2' } } }, remove],
  },
  {
    title: 'validating, of a collection',
    validating: [{ behaviour: 'deny', rules: rulesFor('DELETE') }],
    steps: [create(), { method: 'DELETE', path: 'configmaps?fieldSelector=metadata.name=x' }],
  },
  {
    title: 'mutating, in the order of names',
    mutating: [{ behaviour: 'label' }, { behaviour: 'label-again' }],
    steps: [create(), remove],
  },
  {
    title: 'mutating, called again',
    mutating: [
      { behaviour: 'label-again', reinvocationPolicy: 'IfNeeded', objectSelector: {} },
      { behaviour: 'label' },
    ],
    steps: [labelled('a'), remove],
  },
  {
    title: 'mutating, not called again',
    mutating: [{ behaviour: 'label-again' }, { behaviour: 'label' }],
    steps: [labelled('a'), remove],
  },
  {
    title: 'selected by labels of the object',
    validating: [{ behaviour: 'deny', objectSelector: { matchLabels: { team: 'a' } } }],
    steps: [
      labelled('a'),
      labelled('b'),
      { method: 'PATCH', path: 'configmaps/x', body: { metadata: { labels: { team: 'a' } } } },
      remove,
    ],
  },
  {
    title: 'selected by labels of the namespace',
    validating: [{ behaviour: 'deny', namespaceSelector: { matchLabels: { absent: 'yes' } } }],
    steps: [create(), remove],
  },
  {
    title: 'selected by conditions',
    validating: [
      {
        behaviour: 'deny',
        matchConditions: [{ name: 'team-a', expression: 'object.metadata.labels["team"] == "a"' }],
      },
    ],
    steps: [
      labelled('a'),
      labelled('b'),
      create({ metadata: { name: 'y' } }),
      remove,
      { method: 'DELETE', path: 'configmaps/y' },
    ],
  },
  {
    title: 'selected by the request',
    validating: [
      {
        behaviour: 'deny',
        matchConditions: [
          {
            name: 'verb',
            expression: 'request.operation == "CREATE" && request.resource.resource == "configmaps"',
          },
          { name: 'dry', expression: '!request.dryRun' },
        ],
      },
    ],
    steps: [{ ...create(), path: 'configmaps?dryRun=All' }, create(), remove],
  },
  ...Object.entries({
    'by a right':
      'authorizer.group("").resource("configmaps").namespace("default").check("delete").allowed()',
    'by a right that the user lacks':
      '!authorizer.serviceAccount("default", "absent").group("apps").resource("deployments").subresource("scale").name("x").check("get").allowed()',
    'by the reason of a decision':
      'authorizer.serviceAccount("default", "absent").group("").resource("pods").check("get").reason() == "" && !authorizer.group("").resource("pods").check("get").errored()',
    'by a path':
      'authorizer.path("/healthz").check("get").allowed() && !authorizer.serviceAccount("default", "absent").path("/logs").check("post").allowed()',
    'by a right to what is requested':
      'authorizer.requestResource.check("custom").allowed() && authorizer.requestResource.name("y").check("get").allowed()',
    'by a right to objects of some labels and fields':
      'authorizer.group("").resource("pods").labelSelector("a=b").fieldSelector("spec.nodeName=n").check("list").allowed() && authorizer.group("").resource("pods").labelSelector("=").fieldSelector("=").check("list").errored() == false',
    'by the object of the namespace, which is null': 'namespaceObject == null',
    'by a field of the object of the namespace': 'namespaceObject.metadata.name == "x"',
    'by whether the object of the namespace has metadata':
      '!has(namespaceObject.metadata) && namespaceObject.?metadata.?name.orValue("none") == "none"',
    'by the parts of the request':
      'request.name == "x" && request.kind.kind == "ConfigMap" && request.kind == request.requestKind && request.userInfo.groups.exists(g, g == "system:masters") && request.options.kind == "CreateOptions"',
    'by parts that the request lacks': '!has(request.subResource) && !has(request.userInfo.extra)',
    'by a part that the request lacks': 'request.subResource == ""',
    'by parts of the request that are not declared':
      'dyn(request).object == null && dyn(request).oldObject == null && dyn(request).uid == ""',
    'by the type of the request': 'type(request) == type({})',
    'by too many questions': Array.from(
      { length: 8 },
      () => 'authorizer.group("").resource("pods").check("get").allowed()',
    ).join(' && '),
  }).map(([title, expression]) => ({
    title: `selected ${title}`,
    validating: [{ behaviour: 'deny', matchConditions: [{ name: 'asked', expression }] }],
    steps: [create(), remove],
  })),
  {
    title: 'conditions that fail, and are ignored',
    validating: [
      {
        behaviour: 'deny',
        failurePolicy: 'Ignore',
        matchConditions: [{ name: 'absent', expression: 'object.spec.absent == "a"' }],
      },
    ],
    steps: [create(), remove],
  },
  {
    title: 'rules: another scope',
    validating: [
      {
        behaviour: 'deny',
        rules: [
          {
            operations: ['*'],
            apiGroups: ['*'],
            apiVersions: ['*'],
            resources: ['configmaps'],
            scope: 'Cluster',
          },
        ],
      },
    ],
    steps: [create(), remove],
  },
  {
    title: 'rules: another version',
    validating: [
      {
        behaviour: 'deny',
        rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['v2'], resources: ['configmaps/*'] }],
      },
    ],
    steps: [create(), remove],
  },
  {
    title: 'rules: every resource and subresource',
    validating: [
      {
        behaviour: 'deny',
        rules: [
          { operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['*/*'], scope: 'Namespaced' },
        ],
      },
    ],
    steps: [create(), remove],
  },
  {
    title: 'rules: subresources alone',
    validating: [
      {
        behaviour: 'deny',
        rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['services/status'] }],
      },
    ],
    steps: [
      service,
      { method: 'PATCH', path: 'services/x/status', body: { metadata: { labels: { a: 'b' } } } },
      { method: 'DELETE', path: 'services/x' },
    ],
  },
  {
    title: 'an equivalent version',
    validating: [
      {
        behaviour: 'deny',
        rules: [
          {
            operations: ['CREATE'],
            apiGroups: ['autoscaling'],
            apiVersions: ['v1'],
            resources: ['horizontalpodautoscalers'],
          },
        ],
      },
    ],
    steps: [autoscaler()],
  },
  {
    title: 'an equivalent version, which is not wanted',
    validating: [
      {
        behaviour: 'deny',
        matchPolicy: 'Exact',
        rules: [
          {
            operations: ['CREATE'],
            apiGroups: ['autoscaling'],
            apiVersions: ['v1'],
            resources: ['horizontalpodautoscalers'],
          },
        ],
      },
    ],
    steps: [autoscaler()],
  },
  {
    title: 'nothing listens',
    validating: [{ clientConfig: { url: 'https://127.0.0.1:1/x' } }],
    steps: [create(), remove],
  },
  {
    title: 'nothing listens, and is ignored',
    mutating: [{ failurePolicy: 'Ignore', clientConfig: { url: 'https://127.0.0.1:1/x' } }],
    steps: [create(), remove],
  },
  {
    title: 'a Service that is not there',
    validating: [{ clientConfig: { service: { namespace: 'default', name: 'absent', path: '/x' } } }],
    steps: [create(), remove],
  },
  {
    title: 'slashes to spare in the URL',
    validating: [{ behaviour: 'deny', hasSlashes: true }],
    steps: [create(), remove],
  },
  {
    title: 'the certificate in place of its authority',
    validating: [{ behaviour: 'deny', isPinned: true }],
    steps: [create(), remove],
  },
  { title: 'slow', validating: [{ behaviour: 'slow', timeoutSeconds: 1 }], steps: [create(), remove] },
  {
    title: 'slow, and is ignored',
    mutating: [{ behaviour: 'slow', timeoutSeconds: 1, failurePolicy: 'Ignore' }],
    steps: [create(), remove],
  },
]

function autoscaler(): Step {
  return {
    method: 'POST',
    path: '/apis/autoscaling/v2/namespaces/~/horizontalpodautoscalers?dryRun=All',
    body: {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'x' },
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } },
    },
  }
}
