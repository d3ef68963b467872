import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { allow, deny, patch, reviewAnswer, WebhookServer, type Behaviour } from './webhook-server.ts'

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1'
/** Marks the requests by which a test finds out that its configuration is in use. */
const MARKER = 'webhooks.test/marker'

const label = (name: string, value: string) => ({ op: 'add', path: `/metadata/labels/${name}`, value })
const labels = { op: 'add', path: '/metadata/labels', value: {} }

const behaviours: Record<string, Behaviour> = {
  marker: deny({ message: 'the configuration is in use' }),
  allow,
  deny: deny({ message: 'not on Mondays', code: 403, reason: 'Forbidden' }),
  'deny-with-causes': deny({
    message: 'two things are wrong',
    code: 422,
    reason: 'Invalid',
    details: {
      name: 'x',
      kind: 'ConfigMap',
      causes: [{ reason: 'FieldValueInvalid', message: 'no', field: 'data.a' }],
    },
  }),
  'deny-without-words': deny(),
  'deny-by-reason': deny({ reason: 'Conflict' }),
  'deny-with-200': deny({ message: 'fine, but no', code: 200, status: 'Success' }),
  label: patch(labels, label('by', 'webhook')),
  // Says how many labels it has found.
  'label-again': (review) => {
    const { object } = review.request
    if (!object) return allow(review)
    return patch(label('seen', String(Object.keys(object.metadata.labels ?? {}).length)))(review)
  },
  data: patch({ op: 'add', path: '/data/extra', value: 'from the webhook' }),
  'patch-that-fits-not': patch({ op: 'remove', path: '/data/absent/deep' }),
  'patch-name': patch({ op: 'replace', path: '/metadata/name', value: 'another' }),
  'patch-uid': patch({ op: 'add', path: '/metadata/uid', value: '11111111-2222-3333-4444-555555555555' }),
  'patch-unknown-field': patch({ op: 'add', path: '/spec/unknown', value: 1 }),
  'patch-nothing': patch(),
  'patch-port': patch({ op: 'add', path: '/spec/ports/-', value: { name: 'more', port: 81 } }),
  'patch-invalid': patch({ op: 'add', path: '/data/bad key', value: 'x' }),
  'no-response': (review) => ({ body: { apiVersion: review.apiVersion, kind: 'AdmissionReview' } }),
  'other-uid': (review) => ({
    body: {
      apiVersion: review.apiVersion,
      kind: 'AdmissionReview',
      response: { uid: 'other', allowed: true },
    },
  }),
  'other-version': (review) => ({
    body: {
      apiVersion: 'admission.k8s.io/v1beta1',
      kind: 'AdmissionReview',
      response: { uid: review.request.uid, allowed: true },
    },
  }),
  'no-kind': (review) => ({ body: { response: { uid: review.request.uid, allowed: true } } }),
  'patch-without-type': (review) => reviewAnswer(review, { allowed: true, patch: btoa('[]') }),
  'type-without-patch': (review) => reviewAnswer(review, { allowed: true, patchType: 'JSONPatch' }),
  'other-patch-type': (review) =>
    reviewAnswer(review, {
      allowed: true,
      patchType: 'MergePatch',
      patch: btoa('[{"op":"add","path":"/data/x","value":"y"}]'),
    }),
  'patch-no-list': (review) =>
    reviewAnswer(review, { allowed: true, patchType: 'JSONPatch', patch: btoa('{"a":1}') }),
  'patch-no-json': (review) =>
    reviewAnswer(review, { allowed: true, patchType: 'JSONPatch', patch: btoa('oops') }),
  'empty-body': () => ({ body: '' }),
  rubbish: () => ({ body: 'oops' }),
  'server-error': () => ({ status: 500, body: 'the database is down' }),
  'not-found': () => ({ status: 404, body: 'nothing here' }),
  'status-error': () => ({
    status: 503,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'come back later',
      code: 503,
      reason: 'ServiceUnavailable',
    },
  }),
  warn: (review) => reviewAnswer(review, { allowed: true, warnings: ['the first', 'the second, "quoted"'] }),
  'warn-and-deny': (review) =>
    reviewAnswer(review, { allowed: false, warnings: ['before the end'], status: { message: 'no' } }),
  slow: async (review) => {
    await slow
    return allow(review)
  },
}

let endSlow = (): void => {}
const slow = new Promise<void>((resolve) => (endSlow = resolve))

interface WebhookInput {
  readonly behaviour?: string
  /** Whether the path in its URL has slashes to spare. */
  readonly hasSlashes?: boolean
  /** Whether the configuration trusts the webhook's certificate itself, in place of its authority. */
  readonly isPinned?: boolean
  readonly [field: string]: unknown
}

interface Scenario {
  readonly title: string
  /** The webhooks of one configuration each, in the order of the configurations' names. */
  readonly mutating?: readonly WebhookInput[]
  readonly validating?: readonly WebhookInput[]
  readonly steps: readonly Step[]
}

interface Step {
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
const OPERATIONS = (...operations: string[]) => [
  { operations, apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
]

const scenarios: readonly Scenario[] = [
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
    mutating: [{ behaviour: 'label', rules: OPERATIONS('DELETE') }],
    steps: [create(), remove],
  },
  {
    title: 'validating, of a deletion',
    validating: [{ behaviour: 'deny', rules: OPERATIONS('DELETE') }],
    steps: [create(), remove],
  },
  {
    title: 'validating, of an update',
    validating: [{ behaviour: 'deny', rules: OPERATIONS('UPDATE') }],
    steps: [create(), { method: 'PATCH', path: 'configmaps/x', body: { data: { a: '2' } } }, remove],
  },
  {
    title: 'validating, of a collection',
    validating: [{ behaviour: 'deny', rules: OPERATIONS('DELETE') }],
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

let server: TestServer
let webhooks: WebhookServer

beforeAll(async () => {
  server = await startTestServer()
  webhooks = await WebhookServer.start(behaviours)
})
afterAll(async () => {
  endSlow()
  await webhooks?.[Symbol.asyncDispose]()
  await server?.close()
})

test.for(scenarios)('$title', async (scenario) => {
  const names = await install(scenario)
  webhooks.reviews.length = 0
  const told: object[] = []
  try {
    for (const step of scenario.steps) told.push(await play(step))
  } finally {
    for (const path of names) await server.call('DELETE', path)
    await server.until('the configuration is gone', async () => (await probe()).status === 201)
    for (const step of ['configmaps/x', 'configmaps/y', 'services/x'])
      await server.call('DELETE', below(step))
  }
  const file = new URL(
    `recorded/${scenario.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.json`,
    import.meta.url,
  )
  await expect(`${JSON.stringify(told, undefined, 1)}\n`).toMatchFileSnapshot(file.pathname)
})

async function play({ method, path, body, contentType }: Step): Promise<object> {
  const before = webhooks.reviews.length
  const answer = await server.call(method, below(path), { body, contentType })
  const reviews = webhooks.reviews
    .slice(before)
    .map(({ webhook, review }) => ({ webhook, review: stableReview(review) }))
  return {
    step: `${method} ${path}`,
    status: answer.status,
    ...(answer.headers['warning'] !== undefined && { warning: answer.headers['warning'] }),
    body: stable(answer.body),
    reviews: reviews.toSorted((a, b) => (a.webhook < b.webhook ? -1 : 1)),
  }
}

function below(path: string): string {
  return path.startsWith('/')
    ? path.replace('~', server.namespace)
    : `/api/v1/namespaces/${server.namespace}/${path}`
}

/** Creates the configurations of a scenario, and waits until the server heeds them all. */
async function install({ mutating = [], validating = [] }: Scenario): Promise<string[]> {
  const paths: string[] = []
  for (const [plural, kind, inputs] of [
    ['mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', mutating],
    ['validatingwebhookconfigurations', 'ValidatingWebhookConfiguration', validating],
  ] as const) {
    for (const [index, input] of inputs.entries()) {
      const name = `${server.namespace}-${index}`
      const body = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind,
        metadata: { name },
        webhooks: webhooksOf(input, index),
      }
      const answer = await server.call('POST', `${CONFIGURATIONS}/${plural}`, { body })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      paths.push(`${CONFIGURATIONS}/${plural}/${name}`)
      await server.until(
        'the configuration is in use',
        async () => (await probe(String(index))).status === 400,
      )
    }
  }
  return paths
}

/** The webhook of a test, and one that shows that the configuration is in use. */
function webhooksOf(
  { behaviour = 'allow', isPinned, hasSlashes, ...more }: WebhookInput,
  index: number,
): object[] {
  const caBundle = isPinned ? webhooks.certificate : webhooks.caBundle
  const common = { admissionReviewVersions: ['v1'], sideEffects: 'None' }
  const notMarked = {
    name: 'not-the-marker',
    expression: '!(has(request.name) && request.name.startsWith("marker-"))',
  }
  const own = { matchLabels: { 'kubernetes.io/metadata.name': server.namespace } }
  return [
    {
      ...common,
      name: `marker-${index}.example.com`,
      clientConfig: { url: webhooks.url('marker'), caBundle: webhooks.caBundle },
      rules: OPERATIONS('CREATE'),
      objectSelector: { matchLabels: { [MARKER]: String(index) } },
      namespaceSelector: own,
    },
    {
      ...common,
      name: `test-${index}.example.com`,
      clientConfig: { url: webhooks.url(hasSlashes ? `/${behaviour}/` : behaviour), caBundle },
      rules: OPERATIONS('CREATE', 'UPDATE', 'DELETE'),
      namespaceSelector: own,
      ...more,
      matchConditions: [...((more['matchConditions'] as object[] | undefined) ?? []), notMarked],
    },
  ]
}

/** A request that the marker of a configuration refuses while it is in use. */
function probe(index = '0'): Promise<{ status: number }> {
  const metadata = { name: `marker-${index}`, labels: { [MARKER]: index } }
  return server.call('POST', below('configmaps?dryRun=All'), {
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata },
  })
}

/** A review, without the managed fields of the new object: a real server computes them before it calls webhooks, ours after. */
function stableReview(review: any): unknown {
  const { object } = review.request
  if (!object) return stable(review)
  const { managedFields: _, ...metadata } = object.metadata
  return stable({ ...review, request: { ...review.request, object: { ...object, metadata } } })
}

/** A JSON value with its keys in order, and without what differs from one server to the next. */
function stable(value: unknown): unknown {
  const text = JSON.stringify(value, (key, part: unknown) => {
    if (key === 'managedFields') return managersOf(part)
    if (key === 'creationTimestamp' && part !== null) return 'time'
    if (
      (key === 'uid' && typeof part === 'string' && /^[0-9a-f]{8}-/.test(part)) ||
      key === 'resourceVersion'
    )
      return key
    if (key === 'userInfo') return 'the user'
    return inOrder(part)
  })
  return JSON.parse(
    text
      .replaceAll(server.namespace, 'the-namespace')
      .replaceAll(`127.0.0.1:${webhooks.port}`, 'webhooks')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uid'),
  )
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function managersOf(entries: unknown): unknown {
  return Array.isArray(entries)
    ? entries.map(({ manager, operation, fieldsV1 }) => ({ manager, operation, fieldsV1: inOrder(fieldsV1) }))
    : entries
}
