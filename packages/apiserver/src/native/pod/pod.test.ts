import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestEnvironment } from '../../testing/index.ts'

const PODS = '/api/v1/namespaces/default/pods'
const MERGE = { 'content-type': 'application/merge-patch+json' }
let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

const pod = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'busybox' }], ...spec },
})

async function scheduled(name: string): Promise<void> {
  await env.call('POST', PODS, { body: pod(name) })
  await env.call('POST', `${PODS}/${name}/binding`, {
    body: { metadata: { name }, target: { name: 'node-1' } },
  })
}

test('a new Pod is pending and has a quality-of-service class', async () => {
  const { body } = await env.call('POST', PODS, { body: pod('p') })
  expect(body.status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' })
  const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } }
  const fixed = await env.call('POST', PODS, {
    body: pod('q', { containers: [{ name: 'c', image: 'busybox', resources }] }),
  })
  expect(fixed.body.status.qosClass).toBe('Guaranteed')
})

test('binding puts a Pod on a node, once', async () => {
  await scheduled('p')
  const { body } = await env.call('GET', `${PODS}/p`)
  expect(body.spec.nodeName).toBe('node-1')
  expect(body.status.conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }])
  const again = await env.call('POST', `${PODS}/p/binding`, {
    body: { metadata: { name: 'p' }, target: { name: 'node-2' } },
  })
  expect(again.code).toBe(409)
  expect(again.body.message).toBe(
    'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "node-1"',
  )
})

test('a Pod without a node is removed at once', async () => {
  await env.call('POST', PODS, { body: pod('p') })
  const { code, body } = await env.call('DELETE', `${PODS}/p`)
  expect(code).toBe(200)
  expect(body.kind).toBe('Pod')
  expect((await env.call('GET', `${PODS}/p`)).code).toBe(404)
})

test('a Pod on a node stays until its kubelet deletes it without grace', async () => {
  await scheduled('p')
  const { body } = await env.call('DELETE', `${PODS}/p`, { body: { gracePeriodSeconds: 20 } })
  expect(body.metadata).toMatchObject({
    deletionTimestamp: '2026-01-01T12:00:20Z',
    deletionGracePeriodSeconds: 20,
    generation: 2,
  })
  const longer = await env.call('DELETE', `${PODS}/p`, { body: { gracePeriodSeconds: 60 } })
  expect(longer.body.metadata.deletionGracePeriodSeconds).toBe(20)
  const shorter = await env.call('DELETE', `${PODS}/p`, { body: { gracePeriodSeconds: 5 } })
  expect(shorter.body.metadata).toMatchObject({
    deletionTimestamp: '2026-01-01T12:00:05Z',
    deletionGracePeriodSeconds: 5,
  })
  const watch = await env.watch(`${PODS}?watch=true&resourceVersion=${shorter.body.metadata.resourceVersion}`)
  await env.call('DELETE', `${PODS}/p`, { body: { gracePeriodSeconds: 0 } })
  await env.settle()
  expect(watch.takeNames()).toEqual(['MODIFIED p', 'DELETED p'])
  await watch.close()
})

test('a Pod that has ended is removed at once', async () => {
  await scheduled('p')
  await env.call('PATCH', `${PODS}/p/status`, { body: { status: { phase: 'Succeeded' } }, headers: MERGE })
  await env.call('DELETE', `${PODS}/p`)
  expect((await env.call('GET', `${PODS}/p`)).code).toBe(404)
})

test('Pods are found by node and phase', async () => {
  await scheduled('a')
  await env.call('POST', PODS, { body: pod('b') })
  const names = async (selector: string): Promise<string[]> =>
    (await env.call('GET', `${PODS}?fieldSelector=${encodeURIComponent(selector)}`)).body.items.map(
      (item: any) => item.metadata.name,
    )
  expect(await names('spec.nodeName=node-1')).toEqual(['a'])
  expect(await names('spec.nodeName=,status.phase=Pending')).toEqual(['b'])
})

test('logs come from the component that runs Pods', async () => {
  const asked: unknown[] = []
  await env.close()
  env = await TestEnvironment.start({
    podLogs: async (request) => {
      asked.push({ ...request, signal: undefined })
      return new TextEncoder().encode('hello\n')
    },
  })
  await scheduled('p')
  const { code, body } = await env.call('GET', `${PODS}/p/log?follow=true&tailLines=5&timestamps=true`)
  expect([code, body]).toEqual([200, 'hello\n'])
  expect(asked).toEqual([
    {
      namespace: 'default',
      name: 'p',
      container: 'c',
      follow: true,
      previous: false,
      timestamps: true,
      tailLines: 5,
      sinceSeconds: undefined,
      sinceTime: undefined,
      limitBytes: undefined,
      signal: undefined,
    },
  ])
  const wrong = await env.call('GET', `${PODS}/p/log?container=x`)
  expect(wrong.code).toBe(400)
  expect(wrong.body.message).toBe('container x is not valid for pod p')
})
