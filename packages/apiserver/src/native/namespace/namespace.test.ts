import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestEnvironment } from '../../testing/index.ts'

const NAMESPACES = '/api/v1/namespaces'
const MERGE = { 'content-type': 'application/merge-patch+json' }
let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

test('the default namespaces exist from the start', async () => {
  const { body } = await env.call('GET', NAMESPACES)
  expect(body.items.map((item: any) => item.metadata.name)).toEqual([
    'default',
    'kube-node-lease',
    'kube-public',
    'kube-system',
  ])
})

test('a new namespace is active, has its name as a label, and has a finalizer for its content', async () => {
  const { body } = await env.call('POST', NAMESPACES, { body: { metadata: { name: 'n' } } })
  expect(body).toMatchObject({
    metadata: { labels: { 'kubernetes.io/metadata.name': 'n' } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  })
})

test('deleting a namespace deletes its content, then the namespace', async () => {
  await env.call('POST', NAMESPACES, { body: { metadata: { name: 'n' } } })
  await env.call('POST', `${NAMESPACES}/n/configmaps`, { body: { metadata: { name: 'a' } } })
  await env.call('POST', `${NAMESPACES}/n/secrets`, { body: { metadata: { name: 'b' } } })
  const { code, body } = await env.call('DELETE', `${NAMESPACES}/n`)
  expect(code).toBe(200)
  expect(body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } })
  await env.settle()
  expect((await env.call('GET', `${NAMESPACES}/n`)).code).toBe(404)
  expect((await env.call('GET', `${NAMESPACES}/n/configmaps`)).body.items).toEqual([])
  expect((await env.call('GET', `${NAMESPACES}/n/secrets`)).body.items).toEqual([])
})

test('a namespace that is being deleted refuses new objects, and waits for finalizers', async () => {
  await env.call('POST', NAMESPACES, { body: { metadata: { name: 'n' } } })
  const held = { metadata: { name: 'a', finalizers: ['example.com/f'] } }
  await env.call('POST', `${NAMESPACES}/n/configmaps`, { body: held })
  await env.call('DELETE', `${NAMESPACES}/n`)
  await env.settle()
  const refused = await env.call('POST', `${NAMESPACES}/n/configmaps`, { body: { metadata: { name: 'b' } } })
  expect(refused.code).toBe(403)
  expect(refused.body.details.causes).toEqual([
    {
      reason: 'NamespaceTerminating',
      message: 'namespace n is being terminated',
      field: 'metadata.namespace',
    },
  ])
  await env.call('PATCH', `${NAMESPACES}/n/configmaps/a`, {
    body: { metadata: { finalizers: null } },
    headers: MERGE,
  })
  await env.settle()
  expect((await env.call('GET', `${NAMESPACES}/n`)).code).toBe(404)
})
