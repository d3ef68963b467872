import { Manager, silentLogger } from 'homeostat'
import { ClusterRole, ClusterRoleBinding, ServiceAccount, SubjectAccessReview } from 'homeostat/kinds'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
let manager: Manager
let running: Promise<void>
const stop = new AbortController()

beforeAll(async () => {
  server = await startTestServer()
  const { clock, transport } = server
  manager = new Manager({ transport, clock, logger: silentLogger, metrics: { port: 0, authorize: true } })
  running = manager.start({ signal: stop.signal })
  await vi.waitUntil(() => manager.metricsUrl, { timeout: 60_000 })
})
afterAll(async () => {
  stop.abort()
  await running
  await server.client.delete(ClusterRole, { name: server.namespace })
  await server.client.delete(ClusterRoleBinding, { name: server.namespace })
  await server.close()
})

/** A ServiceAccount's token, as the server gives it to a Pod. */
async function tokenOf(name: string): Promise<string> {
  const key = { namespace: server.namespace, name }
  await server.client.create(ServiceAccount, { metadata: key })
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const { status } = await server.client.subresource('token').create(ServiceAccount, key, request)
  return (status as { token: string }).token
}

async function read(token?: string): Promise<[number, string]> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(manager.metricsUrl!, { headers })
  return [answer.status, await answer.text()]
}

test('the page of metrics is for those whom the server knows and lets read it', async () => {
  const [stranger, prometheus] = [await tokenOf('stranger'), await tokenOf('prometheus')]
  const name = server.namespace
  await server.client.create(ClusterRole, {
    metadata: { name },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  })
  await server.client.create(ClusterRoleBinding, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', namespace: name, name: 'prometheus' }],
  })
  // A new role counts a moment later, and the page would remember a refusal for half a minute.
  const user = `system:serviceaccount:${name}:prometheus`
  await server.until('the role to count', async () => {
    const spec = { user, nonResourceAttributes: { path: '/metrics', verb: 'get' } }
    const { status } = await server.client.create(SubjectAccessReview, { metadata: {}, spec })
    return status?.allowed
  })
  expect((await read())[0]).toBe(401)
  expect((await read('made-up'))[0]).toBe(401)
  expect(await read(stranger)).toEqual([
    403,
    `Forbidden: system:serviceaccount:${name}:stranger may not get /metrics.\n`,
  ])
  const [status, page] = await read(prometheus)
  expect(status).toBe(200)
  expect(page).toContain('rest_client_requests_total{code="201"')
})
