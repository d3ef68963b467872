import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { lines, startOperated, type AskOptions, type OperatedServer } from '../operations/operated-server.ts'
import { WebhookServer, type Answer } from '../webhooks/webhook-server.ts'
import { writeWebhookKubeconfig } from './webhook-kubeconfig.ts'

const API = 'authorization.k8s.io/v1'
const REVIEWS = `/apis/${API}/subjectaccessreviews`

function decision(status: object): Answer {
  return { body: { apiVersion: API, kind: 'SubjectAccessReview', status } }
}

/** The answers of a webhook, by their special part. The user of a request chooses it. */
const answers: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
  allowed: () => decision({ allowed: true }),
  'allowed-for-a-reason': () => decision({ allowed: true, reason: 'they asked' }),
  denied: () => decision({ allowed: false, denied: true }),
  'denied-for-a-reason': () => decision({ allowed: false, denied: true, reason: 'no <way>' }),
  undecided: () => decision({ allowed: false }),
  'undecided-for-a-reason': () => decision({ allowed: false, reason: 'ask another' }),
  both: () => decision({ allowed: true, denied: true, reason: 'confused' }),
  'without-status': () => ({ body: { apiVersion: API, kind: 'SubjectAccessReview' } }),
  'without-kind': () => ({ body: { status: { allowed: true } } }),
  'of-another-kind': () => ({
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', status: { authenticated: true } },
  }),
  'of-another-version': () => ({
    body: {
      apiVersion: 'authorization.k8s.io/v1beta1',
      kind: 'SubjectAccessReview',
      status: { allowed: true },
    },
  }),
  'of-no-kind': () => ({ body: { apiVersion: 'v9', kind: 'Answer', status: { allowed: true } } }),
  created: () => ({ ...decision({ allowed: true }), status: 201 }),
  forbidden: () => ({ status: 403, body: 'not you' }),
  unauthorized: () => ({ status: 401, body: 'who?' }),
  'not-found': () => ({ status: 404, body: 'not here' }),
  teapot: () => ({ status: 418, body: 'short and stout' }),
  'a-status': () => ({
    status: 409,
    body: { apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'in the way', code: 409 },
  }),
  'a-text': () => ({ body: 'yes' }),
  empty: () => ({ body: '' }),
  broken: () => ({ body: '{"kind":' }),
  'a-list': () => ({ body: [1] }),
  'never-given': () => new Promise(() => {}),
}

function configuration(kubeconfigs: Readonly<Record<'first' | 'strict' | 'quick', string>>): object {
  const webhook = (name: keyof typeof kubeconfigs, expression: string, more: object) => ({
    type: 'Webhook',
    name,
    webhook: {
      timeout: '30s',
      subjectAccessReviewVersion: 'v1',
      matchConditionSubjectAccessReviewVersion: 'v1',
      failurePolicy: 'NoOpinion',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: kubeconfigs[name] },
      matchConditions: [
        { expression },
        // Admission reads these through the informers of the real server.
        { expression: "!request.user.startsWith('system:') || request.user.endsWith(':sender')" },
      ],
      ...more,
    },
  })
  return {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [
      webhook('strict', "request.user.startsWith('strict-')", { failurePolicy: 'Deny' }),
      webhook('quick', "request.user.startsWith('quick-') && request.extra['level'][0] == 'high'", {
        timeout: '1s',
        cacheAuthorizedRequests: false,
        cacheUnauthorizedRequests: false,
      }),
      webhook('first', "!request.user.startsWith('strict-') && !request.user.startsWith('quick-')", {}),
      { type: 'RBAC', name: 'rbac' },
    ],
  }
}

let folder: string
let webhooks: WebhookServer
let server: OperatedServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-authorization-'))
  const behaviour = async ({ spec }: any): Promise<Answer> => {
    const { user, resourceAttributes: asked } = spec
    if (user.startsWith('system:serviceaccount:')) {
      if (asked?.verb.startsWith('impersonate') && asked.name === 'broken') return { status: 404, body: '' }
      const allowed = asked?.verb === 'impersonate' && asked.name.startsWith('allowed')
      return decision({ allowed, reason: 'by name' })
    }
    // The request of a policy.
    if (asked?.verb === 'frob' && user.startsWith('allowed')) return answers[asked.name]!()
    return answers[user.replace(/^(?:strict|quick)-/, '')]?.() ?? decision({ allowed: false })
  }
  webhooks = await WebhookServer.start({ first: behaviour, strict: behaviour, quick: behaviour })
  const kubeconfig = (name: string) => writeWebhookKubeconfig(folder, webhooks, name)
  const authorization = configuration({
    first: kubeconfig('first'),
    strict: kubeconfig('strict'),
    quick: kubeconfig('quick'),
  })
  const file = join(folder, 'authorization.yaml')
  writeFileSync(file, JSON.stringify(authorization))
  server = await startOperated([`--authorization-config=${file}`], { authorization })
})
afterAll(async () => {
  await webhooks?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})
beforeEach(() => void webhooks.reviews.splice(0))

/** Sends a request as a user whom the webhook knows. */
async function as(
  user: string,
  method: 'GET' | 'POST',
  target: string,
  options: AskOptions = {},
): Promise<any> {
  const headers = { 'impersonate-user': user, 'impersonate-extra-level': 'high', ...options.headers }
  const { status, headers: given, text } = await server.ask(method, target, { ...options, headers })
  const type = given['content-type'] ?? ''
  return { status, type, answer: type.includes('json') ? JSON.parse(text) : withoutPort(text) }
}

function withoutPort(text: string): string {
  // Two timers of Go may end a call, and each has its own words.
  return text.replaceAll(`:${webhooks.port}`, ':PORT').replaceAll(/(timeout=1s\\?": )[^"\n]*/g, '$1TIMEOUT')
}

async function review(spec: object): Promise<any> {
  const body = { apiVersion: API, kind: 'SubjectAccessReview', spec }
  const { text } = await server.ask('POST', REVIEWS, { body })
  return JSON.parse(withoutPort(text)).status
}

function recorded(title: string): string {
  return new URL(`recorded/${title.replaceAll(' ', '-')}.json`, import.meta.url).pathname
}

const PODS = { verb: 'list', resource: 'pods', namespace: 'default' }

describe('an answer that is', () => {
  test.for(Object.keys(answers).filter((name) => name !== 'never-given'))('%s', async (name) => {
    const found: Record<string, unknown> = {}
    for (const user of [name, `strict-${name}`]) {
      const { status, type, answer } = await as(user, 'GET', '/api/v1/namespaces/default/pods')
      const { message, reason } = answer
      found[user] = {
        request: {
          status,
          type,
          answer: answer.kind === 'PodList' ? 'PodList' : (message ?? answer),
          reason,
        },
        review: await review({ user, resourceAttributes: PODS, extra: { level: ['high'] } }),
      }
    }
    await expect(lines(found)).toMatchFileSnapshot(recorded(`answers/${name}`))
  })

  test('never given is not waited for longer than the configured time', async () => {
    const { status, answer } = await as('quick-never-given', 'GET', '/version/x')
    const found = {
      status,
      answer,
      review: await review({
        user: 'quick-never-given',
        resourceAttributes: PODS,
        extra: { level: ['high'] },
      }),
    }
    await expect(lines(found)).toMatchFileSnapshot(recorded('answers/never-given'))
  })
})

describe('a webhook is asked', () => {
  test.for<readonly [string, string]>([
    ['about a list', '/api/v1/namespaces/default/pods'],
    ['about an object', '/api/v1/namespaces/default/pods/a'],
    ['about a subresource', '/apis/apps/v1/namespaces/default/deployments/a/scale'],
    ['about a namespace', '/api/v1/namespaces/default'],
    ['about a cluster-scoped kind', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
    ['about a path', '/healthz/etcd'],
    ['about selected labels', '/api/v1/pods?labelSelector=a%3Db%2Cc%21%3Dd%2Ce%20in%20(f)%2Cg%2C%21h'],
    ['about selected numbers', '/api/v1/pods?labelSelector=a%3E5'],
    ['about selected fields', '/api/v1/pods?fieldSelector=spec.nodeName%3Da%2Cstatus.phase%21%3DRunning'],
    ['about a selected name', '/api/v1/namespaces/default/pods?fieldSelector=metadata.name%3Da'],
    ['about a wrong selector', '/api/v1/pods?labelSelector=%3D%3D%3D&fieldSelector=x'],
    ['about a watch', '/api/v1/pods?watch=1&labelSelector=a&timeoutSeconds=1'],
    ['about an unknown kind', '/apis/none.example/v1/namespaces/default/things/x'],
  ])('%s', async ([title, target]) => {
    await as('undecided-for-a-reason', 'GET', target, {
      headers: { 'impersonate-group': 'testers', 'impersonate-uid': 'u-1' },
    })
    await expect(lines(webhooks.reviews)).toMatchFileSnapshot(recorded(`asked/${title}`))
  })

  test('about what a review says', async () => {
    const status = await review({
      user: 'undecided',
      groups: ['a', 'b'],
      uid: 'u-2',
      extra: { 'example.com/x': ['1', '2'] },
      resourceAttributes: {
        group: 'g',
        version: 'v2',
        resource: 'rs',
        subresource: 'sub',
        name: 'n',
        namespace: 'ns',
        verb: 'frobnicate',
        fieldSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
        labelSelector: { rawSelector: 'x=y' },
      },
    })
    await expect(lines({ status, reviews: webhooks.reviews })).toMatchFileSnapshot(
      recorded('asked/about what a review says'),
    )
  })

  test('about the rest where parts of selectors cannot be read', async () => {
    const selectors = [
      { fieldSelector: { rawSelector: 'x' } },
      { fieldSelector: { requirements: [{ key: 'a', operator: 'Exists' }] } },
      {
        fieldSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b', 'c'] },
            { key: 'd', operator: 'NotIn', values: ['e'] },
          ],
        },
      },
      { labelSelector: { rawSelector: '===' } },
      {
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'Is', values: ['b'] },
            { key: 'd', operator: 'Exists' },
          ],
        },
      },
      {
        labelSelector: { requirements: [{ key: 'd', operator: 'In' }] },
        fieldSelector: { rawSelector: 'y' },
      },
      { labelSelector: { requirements: [{ key: '-', operator: 'Exists', values: ['a', '/'] }] } },
      { fieldSelector: { requirements: [{ operator: 'NotIn' }, { key: 'a', operator: 'Is' }] } },
      { fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In' }] } },
      { labelSelector: {} },
    ]
    const found = []
    for (const [index, selector] of selectors.entries()) {
      webhooks.reviews.splice(0)
      const asked = { verb: 'list', resource: `pods-${index}`, ...selector }
      const body = {
        apiVersion: API,
        kind: 'SubjectAccessReview',
        spec: { user: 'undecided', resourceAttributes: asked },
      }
      const { status, message } = JSON.parse((await server.ask('POST', REVIEWS, { body })).text)
      found.push({ selector, status, message, reviews: webhooks.reviews.map((one) => one.review.spec) })
    }
    await expect(lines(found)).toMatchFileSnapshot(recorded('asked/about unreadable selectors'))
  })

  test('once for what it has answered', async () => {
    for (const user of ['allowed', 'denied', 'undecided']) {
      webhooks.reviews.splice(0)
      const ask = () => as(user, 'GET', '/api/v1/namespaces/default/secrets/cached')
      const [first, second] = [await ask(), await ask()]
      expect(second.answer.message).toBe(first.answer.message)
      expect(webhooks.reviews).toHaveLength(1)
    }
  })

  test('again after a failure, and where answers are not kept', async () => {
    for (const user of ['teapot', 'quick-allowed', 'quick-denied']) {
      webhooks.reviews.splice(0)
      for (let time = 0; time < 2; time++) await as(user, 'GET', '/api/v1/namespaces/default/secrets/again')
      expect(webhooks.reviews).toHaveLength(2)
    }
  })

  test('not for members of system:masters', async () => {
    const { status } = await as('denied', 'GET', '/api/v1/nodes', {
      headers: { 'impersonate-group': 'system:masters' },
    })
    expect(status).toBe(200)
    expect(webhooks.reviews).toEqual([])
  })

  test('not where a condition cannot be evaluated', async () => {
    const headers = { 'impersonate-user': 'quick-allowed' }
    const { status, text } = await server.ask('GET', '/version/y', { headers })
    const request = { status, text }
    const answer = await review({ user: 'quick-allowed', resourceAttributes: PODS })
    await expect(
      lines({
        request,
        review: answer,
        asked: webhooks.reviews.length,
      }),
    ).toMatchFileSnapshot(recorded('condition without a value'))
  })
})

test('roles decide where webhooks do not', async () => {
  const role = { rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }] }
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const user = 'undecided-for-a-reason'
  await server.ask('POST', `${rbac}/clusterroles`, { body: { metadata: { name: 'w' }, ...role } })
  await server.ask('POST', `${rbac}/clusterrolebindings`, {
    body: {
      metadata: { name: 'w' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'w' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
    },
  })
  await vi.waitUntil(async () => (await as(user, 'GET', '/api/v1/nodes')).status === 200, {
    timeout: 60_000,
    interval: 50,
  })
  const status = await review({ user, resourceAttributes: { verb: 'list', resource: 'nodes' } })
  expect(status.reason).toBe(
    'RBAC: allowed by ClusterRoleBinding "w" of ClusterRole "w" to User "undecided-for-a-reason"',
  )
})

test('rules cannot be listed whole', async () => {
  const { answer } = await as('allowed', 'POST', `/apis/${API}/selfsubjectrulesreviews`, {
    body: { apiVersion: API, kind: 'SelfSubjectRulesReview', spec: { namespace: 'default' } },
  })
  // The real server lists bindings in the order of a map.
  for (const rules of [answer.status.resourceRules, answer.status.nonResourceRules]) {
    rules.sort((a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  await expect(lines(answer)).toMatchFileSnapshot(recorded('rules'))
})

test('a webhook decides who acts as another user', async () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  await server.ask('POST', accounts, { body: { metadata: { name: 'sender' } } })
  const { text } = await server.ask('POST', `${accounts}/sender/token`, { body: {} })
  const { token } = JSON.parse(text).status
  const found = []
  for (const user of ['allowed', 'allowed-for-a-reason', 'refused', 'broken']) {
    const headers = { authorization: `Bearer ${token}`, 'impersonate-user': user }
    const { status, text: given } = await server.ask('GET', '/api/v1/namespaces/default/pods', { headers })
    found.push({ user, status, message: JSON.parse(withoutPort(given)).message })
  }
  await expect(lines(found)).toMatchFileSnapshot(recorded('impersonation'))
})

test('the expressions of a policy ask the webhook', async () => {
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
  const check = "authorizer.group('w').resource('things').name(object.metadata.labels.answer).check('frob')"
  await server.ask('POST', policies, {
    body: {
      metadata: { name: 'asks' },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          objectSelector: { matchExpressions: [{ key: 'answer', operator: 'Exists' }] },
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
          ],
        },
        variables: [{ name: 'may', expression: check }],
        validations: [
          { expression: `!variables.may.errored() || variables.may.error() == ''`, message: 'errored' },
          { expression: `${check}.allowed() || ${check}.reason() != ''`, message: 'refused' },
        ],
      },
    },
  })
  await server.ask('POST', `${policies.replace(/ies$/, '')}ybindings`, {
    body: { metadata: { name: 'asks' }, spec: { policyName: 'asks', validationActions: ['Deny'] } },
  })
  const create = (answer: string) =>
    as('allowed', 'POST', '/api/v1/namespaces/default/configmaps', {
      body: { metadata: { generateName: 'asks-', labels: { answer } } },
    })
  await vi.waitUntil(async () => (await create('denied')).status !== 201, { timeout: 60_000, interval: 50 })
  const found = []
  for (const answer of ['allowed', 'denied', 'denied-for-a-reason', 'undecided', 'teapot']) {
    const given = await create(answer)
    found.push({ answer, status: given.status, message: given.answer.message?.replace(/asks-\w{5}/, 'NAME') })
  }
  await expect(lines(found)).toMatchFileSnapshot(recorded('policy'))
})
