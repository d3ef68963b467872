import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ANONYMOUS } from '../conformance/anonymous.ts'
import { WebhookServer } from '../webhooks/webhook-server.ts'
import { lines, recorded, startOperated, type AskOptions, type OperatedServer } from './operated-server.ts'

const policy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', nonResourceURLs: ['/livez*', '/version'] },
    { level: 'None', users: ['silent'] },
    { level: 'Metadata', resources: [{ group: '', resources: ['secrets', 'configmaps/none'] }] },
    { level: 'Metadata', userGroups: ['quiet'], verbs: ['get', 'list'] },
    { level: 'Request', resources: [{ group: '', resources: ['limitranges'], resourceNames: ['named'] }] },
    { level: 'Request', namespaces: ['kube-public'], omitManagedFields: true },
    { level: 'RequestResponse', resources: [{ group: 'policy' }], omitManagedFields: true },
    { level: 'RequestResponse', resources: [{ group: '*', resources: ['*/status', 'services/*'] }] },
    { level: 'Metadata', nonResourceURLs: ['/api*', '/openid/*'] },
    { level: 'RequestResponse', omitStages: ['ResponseStarted'], verbs: ['watch'] },
    { level: 'RequestResponse' },
  ],
}

const maps = '/api/v1/namespaces/default/configmaps'
const secrets = '/api/v1/namespaces/default/secrets'
const limits = '/api/v1/namespaces/default/limitranges'
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
const map = (name: string, data: object = { a: 'b' }) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's' },
  stringData: { password: 'hidden' },
}
const limit = (name: string) => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name },
  spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] },
})
const budget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'b' },
  spec: { minAvailable: 1 },
}
const merge = { headers: { 'content-type': 'application/merge-patch+json' } }
const as = (user: string, ...groups: string[]) => ({
  headers: { 'impersonate-user': user, ...(groups[0] && { 'impersonate-group': groups[0] }) },
})
type Request = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options?: AskOptions,
]

/** The requests, by what their events show. */
const groups: Readonly<Record<string, readonly Request[]>> = {
  'what is read': [
    ['GET', `${maps}/none`],
    ['GET', `${limits}?limit=5&labelSelector=a%3Db%2Cc`],
    ['GET', `${limits}?limit=bad`],
    ['GET', `${limits}?watch=1&timeoutSeconds=1`],
    ['GET', '/api/v1/nothings'],
    ['GET', '/apis/none.example.com/v1/things'],
    ['GET', '/api/v1/namespaces/default'],
  ],
  'what is created': [
    ['POST', maps, { body: map('a', { text: '<a> & b' }) }],
    ['POST', maps, { body: map('a') }],
    ['POST', maps, { body: '{' }],
    ['POST', `${maps}?dryRun=All`, { body: map('b') }],
    ['POST', `${maps}?dryRun=some`, { body: map('b') }],
    ['POST', maps, { body: { ...map('A b') } }],
    ['POST', maps, { body: map('x'), headers: { 'content-type': 'text/plain' } }],
    ['POST', limits, { body: limit('other') }],
  ],
  'what is changed': [
    ['PUT', `${maps}/a`, { body: map('a', { c: 'd' }) }],
    ['PUT', `${maps}/b`, { body: map('a') }],
    ['PATCH', `${maps}/a`, { body: { data: { e: 'f' } }, ...merge }],
    [
      'PATCH',
      `${maps}/a`,
      { body: [{ op: 'remove', path: '/none' }], headers: { 'content-type': 'application/json-patch+json' } },
    ],
    [
      'PATCH',
      `${maps}/a?fieldManager=one&force=true`,
      { body: map('a'), headers: { 'content-type': 'application/apply-patch+yaml' } },
    ],
    ['PATCH', `${maps}/a`, { body: {}, headers: { 'content-type': 'text/plain' } }],
  ],
  'what is deleted': [
    ['DELETE', `${maps}/a?dryRun=All`],
    [
      'DELETE',
      `${maps}/a`,
      { body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' } },
    ],
    ['DELETE', `${maps}/a`],
    ['DELETE', `${limits}?labelSelector=none`],
  ],
  'levels and stages': [
    ['POST', secrets, { body: secret }],
    ['GET', `${secrets}/s`],
    ['DELETE', `${secrets}/s`],
    ['POST', limits, { body: limit('named') }],
    ['GET', `${limits}/named`],
    ['POST', '/api/v1/namespaces/kube-public/configmaps', { body: map('p') }],
    ['POST', budgets, { body: budget }],
    ['GET', budgets],
    ['GET', `${budgets}/b/status`],
    ['GET', '/livez?verbose'],
    ['GET', '/version'],
    ['GET', '/api'],
    ['GET', '/openid/v1/jwks'],
    ['GET', '/none'],
  ],
  users: [
    ['GET', maps, as('silent')],
    ['GET', maps, as('jane')],
    ['GET', maps, as('jane', 'quiet')],
    ['GET', maps, { headers: { 'impersonate-group': 'alone' } }],
    ['GET', maps, { headers: { authorization: ANONYMOUS } }],
    ['GET', maps, { headers: { authorization: 'Bearer wrong' } }],
    ['GET', '/none', { headers: { authorization: 'Bearer wrong' } }],
    ['GET', maps, as('system:serviceaccount:default:default')],
    [
      'GET',
      `${maps}/none`,
      { headers: { 'x-forwarded-for': '10.1.2.3, 10.1.2.4', 'x-real-ip': '10.9.9.9' } },
    ],
    ['GET', `${maps}/none`, { headers: { 'user-agent': `operations/1.0 ${'x'.repeat(1100)}` } }],
  ],
}

let folder: string
let server: OperatedServer
const own: string[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-audit-'))
  writeFileSync(join(folder, 'policy.yaml'), JSON.stringify(policy))
  server = await startOperated(
    [`--audit-policy-file=${join(folder, 'policy.yaml')}`, `--audit-log-path=${join(folder, 'log')}`],
    { audit: { policy, log: { write: (event) => void own.push(event) } }, users: undefined },
  )
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** The events of the requests of this test so far. */
function events(): string[] {
  const all = server.name === 'ours' ? own : readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n')
  return all.filter((line) => line.includes('"userAgent":"operations/1.0'))
}

/** The events of some requests, without what no two servers have in common. */
async function eventsOf(run: () => Promise<void>): Promise<unknown[]> {
  const before = events().length
  await run()
  const ids = new Map<string, string>()
  return events()
    .slice(before)
    .map((line) => {
      const event = JSON.parse(line) as Record<string, unknown>
      const id = String(event['auditID'])
      if (!ids.has(id)) ids.set(id, `request ${ids.size + 1}`)
      return JSON.parse(
        JSON.stringify({ ...event, auditID: ids.get(id) }, (key, value: unknown) => {
          if (key === 'uid' && value !== 'admin') return 'UID'
          if (key === 'resourceVersion' && value !== '') return 'VERSION'
          if (/[tT]ime(?:stamp)?$/.test(key) && typeof value === 'string') return 'TIME'
          // The users of the two servers differ.
          if (key === 'user' && isAdmin(value)) return 'ADMIN'
          // The order of fields is another test's subject.
          return isPlain(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value
        }),
      ) as unknown
    })
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b)
}

function isAdmin(value: unknown): boolean {
  const { groups: names = [] } = value as { groups?: readonly string[] }
  return names.includes('system:masters')
}

describe('the audit log', () => {
  test.for(Object.entries(groups))('has events about %s', async ([name, requests]) => {
    const found = await eventsOf(async () => {
      for (const [method, path, options] of requests) await server.ask(method, path, options)
    })
    await expect(lines(found)).toMatchFileSnapshot(recorded(`audit-${name.replaceAll(' ', '-')}`))
  })

  test('uses the id of the client', async () => {
    const { headers } = await server.ask('GET', maps, { headers: { 'audit-id': 'mine' } })
    expect(headers['audit-id']).toBe('mine')
    expect(events().at(-1)).toContain('"auditID":"mine"')
  })

  test('has the fields of an event in the order of kube-apiserver', async () => {
    await server.ask('POST', maps, { body: map('ordered'), ...as('admin', 'system:masters') })
    const event = JSON.parse(events().at(-1) ?? '{}') as Record<string, object>
    const order = Object.entries(event).map(([key, value]) => [
      key,
      typeof value === 'object' && !Array.isArray(value) && !key.endsWith('Object') && key !== 'user'
        ? Object.keys(value)
        : [],
    ])
    await expect(lines(order)).toMatchFileSnapshot(recorded('audit-order'))
  })

  test('has what policies want to be written', async () => {
    const admission = '/apis/admissionregistration.k8s.io/v1'
    const bind = (name: string, validationActions: string[]) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: 'audited.example.com', validationActions },
    })
    await server.ask('POST', `${admission}/validatingadmissionpolicies`, {
      body: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'audited.example.com' },
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
            ],
          },
          validations: [
            { expression: 'object.metadata.name != "none"' },
            { expression: 'size(object.data) < 2', messageExpression: '"has " + string(size(object.data))' },
          ],
          auditAnnotations: [
            { key: 'size', valueExpression: 'string(size(object.data))' },
            { key: 'nothing', valueExpression: 'null' },
          ],
        },
      },
    })
    await server.ask('POST', `${admission}/validatingadmissionpolicybindings`, {
      body: bind('one', ['Audit', 'Warn']),
    })
    // A real server reads policies through its own watch.
    await vi.waitFor(
      async () => {
        await server.ask('POST', `${maps}?dryRun=All`, { body: map('probe') })
        expect(events().at(-1)).toContain('audited.example.com/size')
      },
      { timeout: 60_000, interval: 200 },
    )
    const found = await eventsOf(async () => {
      await server.ask('POST', `${maps}?dryRun=All`, { body: map('one') })
      await server.ask('POST', `${maps}?dryRun=All`, { body: map('two', { a: 'b', c: 'd' }) })
    })
    const annotations = found.map((event) => (event as { annotations: object }).annotations)
    await expect(lines(annotations)).toMatchFileSnapshot(recorded('audit-policies'))
    await server.ask('DELETE', `${admission}/validatingadmissionpolicybindings/one`)
  })
})

describe('the audit log of webhooks', () => {
  test('has what they answered and did', async () => {
    const answer = (review: any, more: object) => ({
      body: { ...review, request: undefined, response: { uid: review.request.uid, allowed: true, ...more } },
    })
    const patch = Buffer.from('[{"op":"add","path":"/data/added","value":"<x>"}]').toString('base64')
    await using webhooks = await WebhookServer.start({
      change: (review) =>
        answer(review, { patch, patchType: 'JSONPatch', auditAnnotations: { note: 'changed' } }),
      look: (review) => answer(review, { auditAnnotations: { note: 'seen', other: 'too' } }),
      refuse: (review) => answer(review, { allowed: false, auditAnnotations: { why: 'no' } }),
    })
    const admission = '/apis/admissionregistration.k8s.io/v1'
    const hook = (name: string, url: string, failurePolicy: string, expression = 'true') => ({
      name: `${name}.example.com`,
      clientConfig: { url, caBundle: webhooks.caBundle },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      matchConditions: [{ name: 'here', expression }],
      failurePolicy,
    })
    const configurations = {
      mutatingwebhookconfigurations: {
        kind: 'MutatingWebhookConfiguration',
        webhooks: [
          hook('look', webhooks.url('look'), 'Fail'),
          hook('change', webhooks.url('change'), 'Fail'),
          hook('absent', webhooks.url('none'), 'Ignore'),
        ],
      },
      validatingwebhookconfigurations: {
        kind: 'ValidatingWebhookConfiguration',
        webhooks: [
          hook('absent', webhooks.url('none'), 'Ignore'),
          hook('look-too', webhooks.url('look'), 'Fail'),
          hook('refuse', webhooks.url('refuse'), 'Fail', 'object.metadata.name == "refused"'),
        ],
      },
    }
    for (const [plural, configuration] of Object.entries(configurations)) {
      const metadata = { name: 'audited' }
      await server.ask('POST', `${admission}/${plural}`, {
        body: { apiVersion: 'admissionregistration.k8s.io/v1', ...configuration, metadata },
      })
    }
    // A real server reads configurations through its own watch.
    await vi.waitFor(
      async () => {
        const { status } = await server.ask('POST', `${maps}?dryRun=All`, { body: map('refused') })
        expect(status).toBe(400)
        expect(events().at(-1)).toContain('mutation.webhook')
      },
      { timeout: 60_000, interval: 200 },
    )
    const found = await eventsOf(async () => {
      await server.ask('POST', `${maps}?dryRun=All`, { body: map('one') })
      await server.ask('POST', `${maps}?dryRun=All`, { body: map('refused') })
      await server.ask('POST', '/api/v1/namespaces/kube-public/configmaps?dryRun=All', { body: map('one') })
    })
    // A real server may not have noticed yet that the policy of another test is gone.
    const annotations = found.map((event) =>
      Object.fromEntries(
        Object.entries((event as { annotations: object }).annotations).filter(
          ([key]) => !key.startsWith('audited.example.com/') && !key.startsWith('validation.policy.'),
        ),
      ),
    )
    await expect(lines(annotations)).toMatchFileSnapshot(recorded('audit-webhooks'))
    for (const plural of Object.keys(configurations))
      await server.ask('DELETE', `${admission}/${plural}/audited`)
  })
})
