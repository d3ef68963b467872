import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ANONYMOUS } from '../conformance/anonymous.ts'
import { allow, WebhookServer } from '../webhooks/webhook-server.ts'
import { lines, recorded, startOperated, type AskOptions, type OperatedServer } from './operated-server.ts'

const FLOW = '/apis/flowcontrol.apiserver.k8s.io/v1'
const maps = '/api/v1/namespaces/default/configmaps'
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
const as = (user: string, ...groups: string[]): AskOptions => ({
  headers: { 'impersonate-user': user, ...(groups[0] && { 'impersonate-group': groups[0] }) },
})
const serviceAccount = (namespace: string, name: string) =>
  as(`system:serviceaccount:${namespace}:${name}`, 'system:serviceaccounts')

let server: OperatedServer
let webhooks: WebhookServer
/** Ends the reviews that wait. */
let release = Promise.withResolvers<void>()

beforeAll(async () => {
  webhooks = await WebhookServer.start({
    waits: async (review) => {
      await release.promise
      return allow(review)
    },
  })
  const flags = ['--max-requests-inflight=60', '--max-mutating-requests-inflight=40']
  server = await startOperated(flags, { maxRequestsInFlight: 100 })
  await create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'flow-users' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: ['one-seat', 'one-queue', 'jane'].map((name) => ({
      kind: 'User',
      name,
      apiGroup: 'rbac.authorization.k8s.io',
    })),
  })
})
afterAll(async () => {
  release.resolve()
  await webhooks?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

async function create(path: string, body: object): Promise<void> {
  const { status, text } = await server.ask('POST', path, { body })
  if (status !== 201) throw new Error(`${path} is answered with ${status}: ${text}`)
}

/** Waits for an effect. */
function until<T>(check: () => Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 50 })
}

async function names(plural: string): Promise<Map<string, string>> {
  const { text } = await server.ask('GET', `${FLOW}/${plural}`)
  return new Map(JSON.parse(text).items.map(({ metadata }: any) => [metadata.uid, metadata.name]))
}

/** The FlowSchema and the level that an answer names. */
async function classified(method: 'GET' | 'POST', path: string, options?: AskOptions) {
  const { headers, status } = await server.ask(method, path, options)
  const schema = headers['x-kubernetes-pf-flowschema-uid']
  const level = headers['x-kubernetes-pf-prioritylevel-uid']
  const [schemas, levels] = [await names('flowschemas'), await names('prioritylevelconfigurations')]
  return { status, schema: schema && schemas.get(schema), level: level && levels.get(level) }
}

const manager = as('system:kube-controller-manager')
const node = as('system:node:a', 'system:nodes')
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'

test.for<readonly [title: string, method: 'GET' | 'POST', path: string, options?: AskOptions]>([
  ['an administrator', 'GET', maps],
  ['an administrator, for a path', 'GET', '/version'],
  ['a user', 'GET', maps, as('jane')],
  ['a user, for a path', 'GET', '/version', as('jane')],
  ['a user, for a path that is not there', 'GET', '/none', as('jane')],
  ['a user, for a kind that is not there', 'GET', '/apis/example.com/v1/nothings', as('jane')],
  ['a user, for health', 'GET', '/livez', as('jane')],
  ['a user, for one check of health', 'GET', '/livez/ping', as('jane')],
  ['an anonymous client', 'GET', maps, { headers: { authorization: ANONYMOUS } }],
  ['an anonymous client, for health', 'GET', '/healthz', { headers: { authorization: ANONYMOUS } }],
  ['a wrong token', 'GET', maps, { headers: { authorization: 'Bearer none' } }],
  ['the controller manager, for its lease', 'GET', `${leases}/a`, manager],
  ['the controller manager, for all leases', 'GET', leases, manager],
  ['the controller manager', 'GET', maps, manager],
  ['the scheduler', 'GET', maps, as('system:kube-scheduler')],
  ['a node, for itself', 'GET', '/api/v1/nodes/a', node],
  ['a node, for its lease', 'GET', `${leases}/a`, node],
  ['a node, for pods', 'GET', '/api/v1/pods', node],
  ['a service account of the system', 'GET', maps, serviceAccount('kube-system', 'a')],
  ['a service account of the system, for a lease', 'GET', `${leases}/a`, serviceAccount('kube-system', 'a')],
  ['a service account', 'GET', maps, serviceAccount('default', 'a')],
  ['a group of administrators', 'GET', maps, as('jane', 'system:masters')],
  ['a watch', 'GET', `${maps}?watch=1&timeoutSeconds=1`, as('jane')],
  ['logs', 'GET', '/api/v1/namespaces/default/pods/a/log', as('jane')],
  ['a proxied request', 'GET', '/api/v1/namespaces/default/services/a/proxy/', as('jane')],
])('the flow of %s', async ([title, method, path, options]) => {
  const found = await classified(method, path, options)
  await expect(lines(found)).toMatchFileSnapshot(recorded(`flow-of-${title.replaceAll(/[^a-z]+/g, '-')}`))
})

describe('FlowSchemas of a user', () => {
  const everything = {
    resourceRules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true },
    ],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  }
  const schema = (name: string, matchingPrecedence: number, rule: object, level = 'workload-low') => ({
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name },
    spec: { matchingPrecedence, priorityLevelConfiguration: { name: level }, rules: [rule] },
  })
  const user = (name: string) => [{ kind: 'User', user: { name } }]
  const level = (name: string, limitResponse: object) => ({
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name },
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 1, borrowingLimitPercent: 0, limitResponse },
    },
  })
  const untilClassified = (name: string, method: 'GET', path: string, options: AskOptions) =>
    until(async () => expect(await classified(method, path, options)).toMatchObject({ schema: name }))

  test('are tried by precedence and match by verb, resource, namespace and path', async () => {
    const some = (rule: object) => ({ subjects: user('anna'), ...rule })
    const resources = (verbs: string[], plurals: string[], more: object) =>
      some({ resourceRules: [{ verbs, apiGroups: [''], resources: plurals, ...more }] })
    const schemas = [
      schema('lists-in-default', 200, resources(['list'], ['configmaps'], { namespaces: ['default'] })),
      schema('cluster-lists', 201, resources(['list'], ['configmaps'], { clusterScope: true })),
      schema('status', 202, resources(['*'], ['pods/status'], { namespaces: ['*'] })),
      schema('paths', 203, some({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/apis/*'] }] })),
      schema('rest', 204, some(everything)),
    ]
    for (const one of schemas) await create(`${FLOW}/flowschemas`, one)
    await untilClassified('rest', 'GET', '/version', as('anna'))
    const found: object[] = []
    for (const path of [
      maps,
      `${maps}/a`,
      '/api/v1/configmaps',
      '/api/v1/namespaces/kube-system/configmaps',
      '/api/v1/namespaces/default/pods/a/status',
      '/api/v1/namespaces/default/pods/a',
      '/apis/apps',
      '/apis',
      '/apisfoo',
      '/api/v1/namespaces/default',
    ]) {
      const { schema: name } = await classified('GET', path, as('anna'))
      found.push({ path, schema: name })
    }
    await expect(lines(found)).toMatchFileSnapshot(recorded('flow-schemas-by-rules'))
    for (const { metadata } of schemas) await server.ask('DELETE', `${FLOW}/flowschemas/${metadata.name}`)
  })

  test('say whether their level exists', async () => {
    const condition = async () => {
      const { text } = await server.ask('GET', `${FLOW}/flowschemas/dangling`)
      const { status, metadata } = JSON.parse(text)
      const [found] = status.conditions
      const { lastTransitionTime: _, ...rest } = found
      const managed = metadata.managedFields.find(({ subresource }: any) => subresource === 'status')
      const { time: __, ...fields } = managed
      return { ...rest, fields }
    }
    const told: object[] = []
    await create(
      `${FLOW}/flowschemas`,
      schema('dangling', 300, { subjects: user('absent-user'), ...everything }, 'absent'),
    )
    const untilStatus = async (status: string) =>
      told.push(
        await until(async () => {
          const found = await condition()
          expect(found.status).toBe(status)
          return found
        }),
      )
    await untilStatus('True')
    await create(`${FLOW}/prioritylevelconfigurations`, level('absent', { type: 'Reject' }))
    await untilStatus('False')
    await server.ask('DELETE', `${FLOW}/prioritylevelconfigurations/absent`)
    await untilStatus('True')
    await server.ask('DELETE', `${FLOW}/flowschemas/dangling`)
    await expect(lines(told)).toMatchFileSnapshot(recorded('flow-schema-conditions'))
  })

  describe('with one seat', () => {
    const metric = async (name: string, labels: string) => {
      const { text } = await server.ask('GET', '/metrics')
      const line = text.split('\n').find((one) => one.startsWith(`apiserver_flowcontrol_${name}{${labels}}`))
      return Number(line?.slice(line.lastIndexOf(' ')) ?? 0)
    }
    const labels = (name: string) => `flow_schema="${name}",priority_level="${name}"`
    const answer = ({ status, headers, text }: Awaited<ReturnType<OperatedServer['ask']>>) => ({
      status,
      type: headers['content-type'],
      nosniff: headers['x-content-type-options'],
      cacheControl: headers['cache-control'],
      retryAfter: headers['retry-after'],
      isNamed: headers['x-kubernetes-pf-flowschema-uid'] !== undefined,
      text: status === 201 ? '' : text,
    })
    /** Sends a request whose webhook waits. Resolves once the webhook was called; `sent` resolves with the answer. */
    const begun = async (name: string, options: AskOptions) => {
      const before = webhooks.reviews.length
      const sent = server.ask('POST', maps, { ...options, body: map(name) })
      await until(async () => expect(webhooks.reviews.length).toBeGreaterThan(before))
      return { sent }
    }

    beforeAll(async () => {
      await create(`${FLOW}/prioritylevelconfigurations`, level('one-seat', { type: 'Reject' }))
      const queuing = { queues: 1, handSize: 1, queueLengthLimit: 1 }
      await create(`${FLOW}/prioritylevelconfigurations`, level('one-queue', { type: 'Queue', queuing }))
      for (const name of ['one-seat', 'one-queue'])
        await create(`${FLOW}/flowschemas`, schema(name, 150, { subjects: user(name), ...everything }, name))
      await create('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'waits' },
        webhooks: [
          {
            name: 'waits.example.com',
            clientConfig: { url: webhooks.url('waits'), caBundle: webhooks.caBundle },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            timeoutSeconds: 30,
            rules: [
              { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
            ],
            matchConditions: [{ name: 'waits', expression: "object.metadata.name.startsWith('waits')" }],
          },
        ],
      })
      for (const name of ['one-seat', 'one-queue']) await untilClassified(name, 'GET', '/version', as(name))
      // Until the webhook is called.
      release.resolve()
      await until(async () => {
        await server.ask('POST', `${maps}?dryRun=All`, { body: map('waits-for-webhook') })
        if (webhooks.reviews.length === 0) throw new Error('the webhook was not called')
      })
    })

    test('refuse what comes meanwhile', async () => {
      release = Promise.withResolvers()
      const { sent } = await begun('waits-1', as('one-seat'))
      const refused = await server.ask('GET', maps, as('one-seat'))
      const path = await server.ask('GET', '/version', as('one-seat'))
      const other = await server.ask('GET', maps, as('jane'))
      const log = await server.ask('GET', '/api/v1/namespaces/default/pods/a/log', as('one-seat'))
      release.resolve()
      const first = await sent
      expect(
        await metric('rejected_requests_total', `${labels('one-seat')},reason="concurrency-limit"`),
      ).toBe(2)
      // A real server may answer a write a moment before it frees the seat.
      const after = await until(async () => {
        const found = await server.ask('GET', '/version', as('one-seat'))
        expect(found.status).toBe(200)
        return found
      })
      const told = { first, refused, path }
      await expect(
        lines({
          ...Object.fromEntries(Object.entries(told).map(([name, one]) => [name, answer(one)])),
          other: other.status,
          log: log.status,
          after: after.status,
        }),
      ).toMatchFileSnapshot(recorded('flow-refused'))
    })

    test('let requests wait where there is a queue, and refuse those beyond it', async () => {
      release = Promise.withResolvers()
      const { sent } = await begun('waits-2', as('one-queue'))
      const second = server.ask('POST', maps, { ...as('one-queue'), body: map('queued') })
      await until(async () => expect(await metric('current_inqueue_requests', labels('one-queue'))).toBe(1))
      const third = await server.ask('GET', maps, as('one-queue'))
      const dump = await server.ask('GET', '/debug/api_priority_and_fairness/dump_priority_levels')
      const requests = await server.ask(
        'GET',
        '/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=1',
      )
      release.resolve()
      const told = { first: await sent, second: await second, third }
      expect(await metric('rejected_requests_total', `${labels('one-queue')},reason="queue-full"`)).toBe(1)
      await expect(
        lines({
          ...Object.fromEntries(Object.entries(told).map(([name, one]) => [name, answer(one)])),
          levels: dump.text
            .split('\n')
            .filter((line) => /^(?:PriorityLevelName|one-queue)/.test(line))
            .map((line) =>
              line.replaceAll(/ +/g, ' ').replace(/(?<=one-queue, 1, false, false, 1, 1, )\d+/, 'N'),
            ),
          requests: requests.text
            .split('\n')
            .filter((line) => /^(?:PriorityLevelName|one-queue)/.test(line))
            .map((line) => line.replaceAll(/ +/g, ' ').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'))
            .sort(),
        }),
      ).toMatchFileSnapshot(recorded('flow-queued'))
    })

    test('have the seats that the flags and the shares give', async () => {
      const { text } = await server.ask('GET', '/metrics')
      const seats = text
        .split('\n')
        .filter((line) => /^apiserver_flowcontrol_(?:nominal|lower|upper)_limit_seats/.test(line))
        // A real server goes on to tell the seats of a level that is gone.
        .filter((line) => !line.includes('absent'))
      await expect(lines(seats.sort())).toMatchFileSnapshot(recorded('flow-seats'))
    })
  })
})
