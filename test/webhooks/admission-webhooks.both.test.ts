import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { behaviours, slow } from './behaviours.ts'
import { inManagerOrder } from './in-manager-order.ts'
import { rulesFor, scenarios, type Scenario, type Step, type WebhookInput } from './scenarios.ts'
import { subresourceScenarios } from './subresource-scenarios.ts'
import { WebhookServer } from './webhook-server.ts'

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1'
/** Marks the requests by which a test finds out that its configuration is in use. */
const MARKER = 'webhooks.test/marker'

let server: TestServer
let webhooks: WebhookServer

beforeAll(async () => {
  server = await startTestServer()
  webhooks = await WebhookServer.start(behaviours)
  // Pods need it, and a cluster makes it a moment later.
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
  await server.call('POST', below('serviceaccounts'), { body: account })
})
afterAll(async () => {
  slow.resolve()
  await webhooks?.[Symbol.asyncDispose]()
  await server?.close()
})

test.for([...scenarios, ...subresourceScenarios])('$title', async (scenario) => {
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
  const answer = await server.call(method, below(path), {
    body: body && JSON.parse(JSON.stringify(body).replaceAll('"~"', JSON.stringify(server.namespace))),
    contentType,
  })
  await awaitCache(path, answer.body)
  const reviews = webhooks.reviews
    .slice(before)
    .map(({ webhook, review }) => ({ webhook, review: stable(review) }))
  return {
    step: `${method} ${path}`,
    status: answer.status,
    ...(answer.headers['warning'] !== undefined && { warning: answer.headers['warning'] }),
    body: stable(answer.body),
    reviews: reviews.toSorted((a, b) => (a.webhook < b.webhook ? -1 : 1)),
  }
}

/**
 * Waits until the cache of a real server has seen a write. Its next write begins with the object in the cache, and starts
 * over, with another review, where that is out of date.
 */
async function awaitCache(path: string, body: any): Promise<void> {
  const { name, resourceVersion } = body?.metadata ?? {}
  if (!resourceVersion || path.includes('dryRun')) return
  if (body.kind === 'ConfigMap')
    await server.call('GET', below(`configmaps/${name}?resourceVersion=${resourceVersion}`))
  if (body.kind === 'Deployment' || body.kind === 'Scale') await awaitDeploymentController(name)
}

/** Waits until the controller of a paused Deployment has written what it writes, since its writes compete with those of the test. */
async function awaitDeploymentController(name: string): Promise<void> {
  const path = below(`/apis/apps/v1/namespaces/~/deployments/${name}`)
  let resourceVersion = ''
  await server.until('the controller has seen the Deployment', async () => {
    const { metadata, status } = (await server.call('GET', path)).body
    resourceVersion = metadata.resourceVersion
    const isPaused = status?.conditions?.some((one: any) => one.reason === 'DeploymentPaused')
    return !server.controllers || (isPaused && status.observedGeneration === metadata.generation)
  })
  await server.call('GET', `${path}?resourceVersion=${resourceVersion}`)
}

function below(path: string): string {
  return path.startsWith('/')
    ? path.replace('~', server.namespace)
    : `/api/v1/namespaces/${server.namespace}/${path}`
}

/** Creates the configurations of a scenario, and waits until the server uses them all. */
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
      rules: rulesFor('CREATE'),
      objectSelector: { matchLabels: { [MARKER]: String(index) } },
      namespaceSelector: own,
    },
    {
      ...common,
      name: `test-${index}.example.com`,
      clientConfig: { url: webhooks.url(hasSlashes ? `/${behaviour}/` : behaviour), caBundle },
      rules: rulesFor('CREATE', 'UPDATE', 'DELETE'),
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

const VARYING = new Set(['token', 'deletionTimestamp', 'expirationTimestamp', 'lastTransitionTime'])

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
    if (part && VARYING.has(key)) return key
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
    ? inManagerOrder(entries).map(({ manager, operation, fieldsV1 }) => ({
        manager,
        operation,
        fieldsV1: inOrder(fieldsV1),
      }))
    : entries
}
