import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANONYMOUS } from '../auth/index.ts'
import { callJson, TestEnvironment } from '../testing/index.ts'

let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

test.each(['/healthz', '/livez', '/readyz', '/readyz/ping'])('%s reports a healthy server', async (path) => {
  expect(await env.call('GET', path)).toMatchObject({ code: 200, body: 'ok' })
})

test.each(['/foo', '/apis/example.com/v1/foos', '/api/v2/pods', '/api/v1//pods', '/api/v1/configmaps/a'])(
  '%s is not found',
  async (path) => {
    expect((await env.call('GET', path)).code).toBe(404)
  },
)

test('an unknown resource of a group that is served is a Status', async () => {
  const { code, body } = await env.call('GET', '/api/v1/foos')
  expect(code).toBe(404)
  expect(body).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'the server could not find the requested resource',
    reason: 'NotFound',
    details: {},
    code: 404,
  })
})

test.each([
  ['POST', '/api/v1/configmaps'],
  ['POST', '/api/v1/namespaces/default/configmaps/a'],
  ['PUT', '/api/v1/namespaces/default/configmaps'],
  ['DELETE', '/api/v1/namespaces/default/pods/a/status'],
] as const)('%s %s is not allowed', async (method, path) => {
  const { code, body } = await env.call(method, path)
  expect(code).toBe(405)
  expect(body.reason).toBe('MethodNotAllowed')
})

test('an answer that the client does not accept is 406', async () => {
  const { code, body } = await env.call('GET', '/api/v1/pods', { headers: { accept: 'text/html' } })
  expect(code).toBe(406)
  expect(body.reason).toBe('NotAcceptable')
})

test('a client that prefers protobuf gets it, and JSON where there is no other form', async () => {
  const headers = { accept: 'application/vnd.kubernetes.protobuf,application/json' }
  const pods = await env.call('GET', '/api/v1/pods', { headers })
  expect(pods.headers['content-type']).toBe('application/vnd.kubernetes.protobuf')
  expect(pods.body).toContain('k8s\0')
  const version = await env.call('GET', '/version', { headers })
  expect(version.headers['content-type']).toBe('application/json')
})

test('an object is served as YAML', async () => {
  const { body } = await env.call('GET', '/api/v1/namespaces/default', {
    headers: { accept: 'application/yaml' },
  })
  expect(body).toContain('apiVersion: v1\nkind: Namespace\n')
})

test('a request that has aborted is rejected with its reason', async () => {
  const reason = new Error('enough')
  await expect(env.call('GET', '/api', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test('an anonymous user may only read the health and the version of the server', async () => {
  const handler = env.server.handlerFor(ANONYMOUS)
  expect((await callJson(handler, 'GET', '/readyz')).code).toBe(200)
  expect((await callJson(handler, 'GET', '/version')).body.major).toBe('1')
  const refused = await callJson(handler, 'GET', '/api/v1/pods')
  expect(refused).toMatchObject({ code: 403, body: { reason: 'Forbidden' } })
})

test('the answer to a user without rights names the missing right', async () => {
  const handler = env.server.handlerFor({ name: 'eve', groups: ['system:authenticated'] })
  const { code, body } = await callJson(handler, 'GET', '/api/v1/namespaces/default/pods')
  expect(code).toBe(403)
  expect(body.message).toBe(
    'pods is forbidden: User "eve" cannot list resource "pods" in API group "" in the namespace "default"',
  )
})

test('an unknown token is refused', async () => {
  const answer = await env.call('GET', '/version', { headers: { authorization: 'Bearer unknown' } })
  expect(answer.code).toBe(401)
})

test('a failure inside the server is a Status, not a rejection', async () => {
  env.server.registry.store.page = () => {
    throw new Error('broken')
  }
  const { code, body } = await env.call('GET', '/api/v1/pods')
  expect(code).toBe(500)
  expect(body).toMatchObject({ reason: 'InternalError', message: 'Internal error occurred: broken' })
})

test('replicas are read and written through scale', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments'
  await env.call('POST', path, {
    body: {
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'c', image: 'nginx' }] },
        },
      },
    },
  })
  const scale = await env.call('GET', `${path}/web/scale`)
  expect(scale.body).toMatchObject({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 2 },
    status: { replicas: 0, selector: 'app=web' },
  })
  const wanted = { ...scale.body, spec: { replicas: 5 } }
  expect((await env.call('PUT', `${path}/web/scale`, { body: wanted })).body.spec).toEqual({ replicas: 5 })
  expect((await env.call('GET', `${path}/web`)).body).toMatchObject({
    metadata: { generation: 2 },
    spec: { replicas: 5 },
  })
  expect((await env.call('PUT', `${path}/web/scale`, { body: wanted })).code).toBe(409)
  const patched = await env.call('PATCH', `${path}/web/scale`, {
    body: { spec: { replicas: 1 } },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  expect(patched.body.spec).toEqual({ replicas: 1 })
})

test('a caller may change the body of an answer', async () => {
  const path = '/api/v1/namespaces/default/configmaps'
  const query = new URLSearchParams()
  const body = new TextEncoder().encode(JSON.stringify({ metadata: { name: 'mine' }, data: { a: 'b' } }))
  const created = await env.handler({ method: 'POST', path, query, headers: {}, body })
  ;(created.body as Uint8Array).fill(0)
  const read = await env.handler({ method: 'GET', path: `${path}/mine`, query, headers: {} })
  structuredClone(read.body, { transfer: [(read.body as Uint8Array<ArrayBuffer>).buffer] })
  expect((await env.call('GET', `${path}/mine`)).body).toMatchObject({ data: { a: 'b' } })
  expect((await env.call('GET', path)).body.items).toMatchObject([{ data: { a: 'b' } }])
})
