import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { allow, deny, patch, WebhookServer } from '../webhooks/webhook-server.ts'
import { lines, recorded, startOperated, type OperatedServer } from './operated-server.ts'

const REGISTRATION = '/apis/admissionregistration.k8s.io/v1'
const BELOW = '/api/v1/namespaces/default'

let server: OperatedServer
let webhooks: WebhookServer
beforeAll(async () => {
  server = await startOperated([], { protectsVolumes: true, taintsNodes: true })
  webhooks = await WebhookServer.start({
    allow,
    patch: patch({ op: 'add', path: '/data', value: { patched: 'yes' } }),
    deny: deny({ code: 418, message: 'no tea' }),
    deny700: deny({ code: 700, message: 'unknown' }),
    deny200: deny({ code: 200 }),
    broken: () => ({ body: 'no review' }),
    failing: () => ({ status: 500, body: 'broken' }),
    undecodable: (review) => ({
      body: {
        ...review,
        request: undefined,
        response: { uid: review.request.uid, allowed: true, patchType: 'JSONPatch', patch: btoa('[{') },
      },
    }),
  })
})
afterAll(async () => {
  await webhooks?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

type Numbers = ReadonlyMap<string, number>

async function numbers(): Promise<Numbers> {
  const { text } = await server.ask('GET', '/metrics')
  const found = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    found.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

/** The counts between two readings, of the series that match. This API server has no summary of the same steps. */
function counted(before: Numbers, after: Numbers, matching: RegExp): readonly string[] {
  return [...after]
    .filter(([name]) => matching.test(name) && !/_sum\{|_bucket\{|_summary/.test(name))
    .map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `${name} ${value}`)
    .toSorted()
}

const configMap = (of: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', labels: { of } },
})

/** Creates a ConfigMap with a label, as a dry run. */
const create = (of: string) => server.ask('POST', `${BELOW}/configmaps?dryRun=All`, { body: configMap(of) })

describe('the metrics of admission plugins', () => {
  test('have the names, operations and phases of kube-apiserver', async () => {
    const pod = { containers: [{ name: 'a', image: 'b' }], automountServiceAccountToken: false }
    await server.ask('POST', `${BELOW}/configmaps`, { body: configMap('plugins') })
    await server.ask('PUT', `${BELOW}/configmaps/a`, { body: configMap('others') })
    await server.ask('POST', `${BELOW}/pods`, { body: { metadata: { name: 'a' }, spec: pod } })
    await server.ask('POST', `${BELOW}/pods/a/binding`, {
      body: { metadata: { name: 'a' }, target: { kind: 'Node', name: 'none' } },
    })
    await server.ask('POST', `${BELOW}/pods/none/eviction`, { body: { metadata: { name: 'none' } } })
    await server.ask('GET', `${BELOW}/services/none/proxy/`)
    await server.ask('DELETE', `${BELOW}/configmaps/a`)
    const names = [...(await numbers()).keys()]
      .filter((name) => name.startsWith('apiserver_admission_controller_admission_duration_seconds_count'))
      .filter((name) => name.includes('rejected="false"'))
    await expect(lines(names)).toMatchFileSnapshot(recorded('admission-plugins'))
  })

  test('count a plugin of each write once, and the plugins after a refusal not at all', async () => {
    await server.ask('POST', `${BELOW}/limitranges`, {
      body: { metadata: { name: 'small' }, spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
    })
    await server.ask('POST', '/api/v1/namespaces', {
      body: { metadata: { name: 'strict', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
    })
    const container = { name: 'a', image: 'b' }
    const post = (spec: object, namespace = 'default') =>
      server.ask('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, {
        body: { metadata: { name: 'c' }, spec: { automountServiceAccountToken: false, ...spec } },
      })
    const wide = {
      containers: [{ ...container, resources: { requests: { cpu: '2' }, limits: { cpu: '2' } } }],
    }
    // A real server learns of both some time later.
    await vi.waitFor(
      async () => {
        expect((await post(wide)).status).toBe(403)
        expect((await post({ containers: [container] }, 'strict')).status).toBe(403)
      },
      { timeout: 60_000 },
    )
    const before = await numbers()
    const statuses = [
      await post(wide),
      await post({ containers: [container] }, 'strict'),
      await post({ containers: [container], priorityClassName: 'none' }),
      await post({ containers: [container], runtimeClassName: 'none' }),
      await server.ask('DELETE', '/api/v1/namespaces/default'),
    ].map(({ status }) => status)
    const refused = counted(before, await numbers(), /^apiserver_admission_\w+_count\{.*rejected="true"/)
    await expect(lines({ statuses, refused })).toMatchFileSnapshot(recorded('admission-refusals'))
  })

  test('have the same buckets', async () => {
    const buckets = [...(await numbers()).keys()].filter((name) =>
      name.startsWith(
        'apiserver_admission_controller_admission_duration_seconds_bucket{name="LimitRanger",operation="CREATE",rejected="false",type="admit"',
      ),
    )
    await expect(lines(buckets)).toMatchFileSnapshot(recorded('admission-buckets'))
  })
})

/** Cases of webhooks: `of` is the label of the objects that one gets. */
const webhook = (of: string, path: string, more: object = {}) => ({
  name: `${of}.metrics.example.com`,
  clientConfig: { url: webhooks.url(path), caBundle: webhooks.caBundle },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
  objectSelector: { matchLabels: { of } },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
})
const conditions = (...expressions: readonly string[]) => ({
  matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
})
const unreachable = { clientConfig: { url: 'https://127.0.0.1:1/none' } }

async function install(kind: string, body: object): Promise<void> {
  const { status, text } = await server.ask('POST', `${REGISTRATION}/${kind}`, { body })
  if (status !== 201) throw new Error(text)
}

describe('the metrics of webhooks', () => {
  const cases = (phase: 'm' | 'v') => [
    webhook(`${phase}-allow`, phase === 'm' ? 'patch' : 'allow'),
    webhook(`${phase}-deny`, 'deny'),
    webhook(`${phase}-deny700`, 'deny700'),
    webhook(`${phase}-deny200`, 'deny200'),
    webhook(`${phase}-broken`, 'broken'),
    webhook(`${phase}-failing`, 'failing'),
    webhook(`${phase}-missing`, 'missing', { failurePolicy: 'Ignore' }),
    webhook(`${phase}-unreachable`, '', { ...unreachable, failurePolicy: 'Fail' }),
    webhook(`${phase}-ignored`, '', { ...unreachable, failurePolicy: 'Ignore' }),
    webhook(`${phase}-undecodable`, 'undecodable'),
    webhook(`${phase}-true`, 'allow', conditions('true', 'request.operation == "CREATE"')),
    webhook(`${phase}-false`, 'allow', conditions('true', 'false')),
    webhook(`${phase}-problem`, 'allow', conditions('object.spec.a == 1', 'object.spec.b == 1')),
    webhook(`${phase}-both`, 'allow', conditions('object.spec.a == 1', 'false', 'object.spec.b == 1')),
    webhook(`${phase}-pardoned`, 'allow', {
      ...conditions('object.spec.a == 1'),
      failurePolicy: 'Ignore',
    }),
    // The last: when it is in effect, all are.
    webhook(`${phase}-probe`, 'deny'),
  ]

  test('count calls, refusals and failures as kube-apiserver does', async () => {
    const names = (of: ReturnType<typeof cases>) => of.map(({ name }) => name.split('.')[0] ?? '')
    const all = [...names(cases('m')), ...names(cases('v'))].filter((name) => !name.endsWith('-probe'))
    await install('mutatingwebhookconfigurations', {
      metadata: { name: 'mutating' },
      webhooks: cases('m'),
    })
    await install('validatingwebhookconfigurations', {
      metadata: { name: 'validating' },
      webhooks: cases('v'),
    })
    const isCalled = async () => {
      expect((await create('m-probe')).status).toBe(418)
      expect((await create('v-probe')).status).toBe(418)
    }
    await vi.waitFor(isCalled, { timeout: 60_000 })
    const before = await numbers()
    const statuses: Record<string, number> = {}
    for (const one of all) statuses[one] = (await create(one)).status
    const series = counted(before, await numbers(), /^apiserver_admission_.*metrics\.example\.com/)
    await expect(lines({ statuses, series })).toMatchFileSnapshot(recorded('admission-webhooks'))
    await server.ask('DELETE', `${REGISTRATION}/mutatingwebhookconfigurations/mutating`)
    await server.ask('DELETE', `${REGISTRATION}/validatingwebhookconfigurations/validating`)
  })
})

describe('the metrics of policies', () => {
  const matchConstraints = {
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ],
  }
  const only = (of: string) => ({
    matchConstraints: { ...matchConstraints, objectSelector: { matchLabels: { of } } },
  })
  const costly =
    '[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f, a+b+c+d+e+f > 0))))))'
  const rule = (expression: string, more: object = {}) => ({ validations: [{ expression, ...more }] })
  const validating: Readonly<Record<string, object>> = {
    'v-true': rule('true'),
    'v-false': rule('false'),
    'v-several': { validations: [{ expression: 'false' }, { expression: 'true' }, { expression: '1 > 2' }] },
    'v-message': rule('false', { message: 'compilation of another kind' }),
    'v-problem': rule('object.spec.a == 1'),
    'v-pardoned': { ...rule('object.spec.a == 1'), failurePolicy: 'Ignore' },
    'v-costly': rule(costly),
    'v-costly-pardoned': { ...rule(costly), failurePolicy: 'Ignore' },
    'v-excluded': { ...rule('false'), ...conditions('false') },
    'v-included': { ...rule('true'), ...conditions('true') },
    'v-condition': { ...rule('true'), ...conditions('object.spec.a == 1') },
    'v-annotation': { auditAnnotations: [{ key: 'a', valueExpression: 'string(object.spec.a)' }] },
    'v-annotation-pardoned': {
      auditAnnotations: [{ key: 'a', valueExpression: 'string(object.spec.a)' }],
      failurePolicy: 'Ignore',
    },
    'v-probe': rule('false'),
  }
  const mutation = (expression: string) => ({
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  })
  const mutating: Readonly<Record<string, object>> = {
    'm-changes': mutation('[JSONPatch{op: "add", path: "/data", value: {"a": "b"}}]'),
    'm-problem': mutation('[JSONPatch{op: "add", path: object.spec.a, value: "b"}]'),
    'm-pardoned': {
      ...mutation('[JSONPatch{op: "add", path: object.spec.a, value: "b"}]'),
      failurePolicy: 'Ignore',
    },
    'm-unfitting': mutation('[JSONPatch{op: "remove", path: "/none"}]'),
    'm-excluded': { ...mutation('[JSONPatch{op: "remove", path: "/none"}]'), ...conditions('false') },
    'm-condition': {
      ...mutation('[JSONPatch{op: "remove", path: "/none"}]'),
      ...conditions('object.spec.a == 1'),
    },
    'm-probe': mutation('[JSONPatch{op: "add", path: "/data", value: {"probe": "yes"}}]'),
  }
  const actions: Readonly<Record<string, readonly string[]>> = {
    'v-false': ['Deny', 'Audit'],
    'v-several': ['Warn', 'Audit'],
  }

  test('count evaluations as kube-apiserver does', async () => {
    const policies = [
      ['validatingadmissionpolicies', 'validatingadmissionpolicybindings', validating],
      ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings', mutating],
    ] as const
    for (const [kind, bindings, specs] of policies) {
      for (const [name, spec] of Object.entries(specs)) {
        const reinvocationPolicy = kind === 'mutatingadmissionpolicies' ? 'Never' : undefined
        await install(kind, { metadata: { name }, spec: { ...only(name), reinvocationPolicy, ...spec } })
        const validationActions =
          kind === 'mutatingadmissionpolicies' ? undefined : (actions[name] ?? ['Deny'])
        await install(bindings, {
          metadata: { name: `of-${name}` },
          spec: { policyName: name, validationActions },
        })
      }
    }
    const isEvaluated = async () => {
      expect((await create('v-probe')).status).toBe(422)
      expect(JSON.parse((await create('m-probe')).text).data).toEqual({ probe: 'yes' })
    }
    await vi.waitFor(isEvaluated, { timeout: 60_000 })
    const before = await numbers()
    const statuses: Record<string, number> = {}
    for (const one of [...Object.keys(validating), ...Object.keys(mutating)]) {
      if (!one.endsWith('-probe')) statuses[one] = (await create(one)).status
    }
    const series = counted(
      before,
      await numbers(),
      /^apiserver_(?:validating|mutating)_admission_policy|^apiserver_admission_match_condition/,
    )
    await expect(lines({ statuses, series })).toMatchFileSnapshot(recorded('admission-policies'))
  })
})
