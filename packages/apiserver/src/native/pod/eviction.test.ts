import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestEnvironment } from '../../testing/index.ts'

const PODS = '/api/v1/namespaces/default/pods'
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

async function runningPod(name: string, ready: boolean): Promise<void> {
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] }
  await env.call('POST', PODS, { body: { metadata: { name, labels: { app: 'web' } }, spec } })
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }]
  await writeStatus(`${PODS}/${name}`, { phase: 'Running', conditions })
}

async function budget(spec: object, status: object): Promise<void> {
  const selector = { matchLabels: { app: 'web' } }
  await env.call('POST', BUDGETS, {
    body: { metadata: { name: 'b' }, spec: { minAvailable: 1, selector, ...spec } },
  })
  await writeStatus(`${BUDGETS}/b`, { observedGeneration: 1, ...status })
}

async function writeStatus(path: string, status: object): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' }
  expect((await env.call('PATCH', `${path}/status`, { body: { status }, headers })).code).toBe(200)
}

function evict(name: string, deleteOptions: object = {}): Promise<{ code: number; body: any }> {
  return env.call('POST', `${PODS}/${name}/eviction`, { body: { metadata: { name }, deleteOptions } })
}

test('a budget with one allowed disruption allows one of two simultaneous evictions', async () => {
  await runningPod('a', true)
  await runningPod('b', true)
  await budget({}, { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 })
  const codes = (await Promise.all([evict('a'), evict('b')])).map(({ code }) => code)
  expect(codes.sort((a, b) => a - b)).toEqual([201, 429])
  const { body } = await env.call('GET', `${BUDGETS}/b`)
  expect(body.status.disruptionsAllowed).toBe(0)
  expect(Object.keys(body.status.disruptedPods as object)).toHaveLength(1)
})

test('an unready Pod is evicted under the policy AlwaysAllow', async () => {
  await runningPod('a', false)
  await budget({ unhealthyPodEvictionPolicy: 'AlwaysAllow' }, { disruptionsAllowed: 0, desiredHealthy: 1 })
  expect((await evict('a')).code).toBe(201)
})

test('an unready Pod is not evicted when too few other Pods are healthy', async () => {
  await runningPod('a', false)
  await budget({}, { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1 })
  const { code, body } = await evict('a')
  expect(code).toBe(429)
  expect(body.details.causes).toEqual([
    {
      reason: 'DisruptionBudget',
      message: 'The disruption budget b needs 1 healthy pods and has 0 currently',
    },
  ])
})

test('a budget with a negative count, or with too many disrupted Pods, is not changed', async () => {
  await runningPod('a', true)
  const many = Array.from({ length: 2001 }, (_, index) => [`p${index}`, '2026-01-01T00:00:00Z'])
  await budget({}, { disruptionsAllowed: 1, disruptedPods: Object.fromEntries(many) as object })
  expect((await evict('a')).body).toMatchObject({ code: 403, reason: 'Forbidden' })
})

test('an eviction with another resourceVersion or uid is refused', async () => {
  await runningPod('a', true)
  const version = await evict('a', { preconditions: { resourceVersion: '1' } })
  expect(version.body.message).toContain('the ResourceVersion in the precondition (1) does not match')
  const uid = await evict('a', { preconditions: { uid: 'other' } })
  expect(uid.body.message).toContain('the UID in the precondition (other) does not match')
  expect((await env.call('GET', `${PODS}/a`)).body.metadata.deletionTimestamp).toBeUndefined()
})
