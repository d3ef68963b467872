import { operatorPage } from '@homeostat/dashboard'
import { controller, controllerReference, Manager, silentLogger } from 'homeostat'
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
  SubjectAccessReview,
} from 'homeostat/kinds'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { readStream } from './read-stream.ts'

let server: TestServer
let cleanUp: AsyncDisposableStack
let origin: string
const GROUP = 'rbac.authorization.k8s.io'

/** Makes a Secret for each ConfigMap that is labelled. */
const copies = controller('copies')
  .for(ConfigMap)
  .owns(Secret)
  .reconcile(async (key, { client }) => {
    const source = await client.get(ConfigMap, key)
    if (!source?.metadata.labels?.['copied']) return
    const metadata = { ...key, ownerReferences: [controllerReference(source)] }
    await client.apply(Secret, { metadata, data: { text: btoa('a secret word') } })
  })

beforeEach(async () => {
  cleanUp = new AsyncDisposableStack()
  server = await startTestServer({ realTime: true })
  cleanUp.defer(() => server.close())
  const { transport, clock, namespace } = server
  const stop = new AbortController()
  const page = operatorPage({ port: 0 })
  const manager = new Manager({
    transport,
    clock,
    logger: silentLogger,
    cache: { namespaces: [namespace] },
    page,
  }).add(copies)
  const running = manager.start({ signal: stop.signal })
  cleanUp.defer(async () => {
    stop.abort()
    await running
  })
  await manager.synced
  origin = manager.pageUrl ?? ''
})
afterEach(() => cleanUp.disposeAsync())

/** The token of a new account with these rights in the namespace, once the server counts them. */
async function tokenOf(name: string, ...resources: string[]): Promise<string> {
  const { client, namespace } = server
  const key = { namespace, name }
  await client.create(ServiceAccount, { metadata: key })
  if (resources.length > 0) {
    const subjects = [{ kind: 'ServiceAccount' as const, namespace, name }]
    const everywhere = { name: `${namespace}-${name}` }
    await client.create(ClusterRole, {
      metadata: everywhere,
      rules: [{ nonResourceURLs: ['/page'], verbs: ['get'] }],
    })
    cleanUp.defer(async () => void (await client.delete(ClusterRole, everywhere)))
    await client.create(ClusterRoleBinding, {
      metadata: everywhere,
      roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: everywhere.name },
      subjects,
    })
    cleanUp.defer(async () => void (await client.delete(ClusterRoleBinding, everywhere)))
    await client.create(Role, { metadata: key, rules: [{ apiGroups: [''], resources, verbs: ['list'] }] })
    await client.create(RoleBinding, {
      metadata: key,
      roleRef: { apiGroup: GROUP, kind: 'Role', name },
      subjects,
    })
    const user = `system:serviceaccount:${namespace}:${name}`
    for (const question of [
      { nonResourceAttributes: { path: '/page', verb: 'get' } },
      ...resources.map((resource) => ({ resourceAttributes: { namespace, resource, verb: 'list' } })),
    ])
      await server.until('the rights to count', async () => {
        const review = { metadata: {}, spec: { user, ...question } }
        return (await client.create(SubjectAccessReview, review)).status?.allowed
      })
  }
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const { status } = await client.subresource('token').create(ServiceAccount, key, body)
  return (status as { token: string }).token
}

const stream = (token?: string): Promise<Response> =>
  fetch(new URL('/stream', origin), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })

it('shows each viewer what the API server allows this viewer to list', async () => {
  const { client, namespace } = server
  const [one, both, stranger] = [
    await tokenOf('one', 'configmaps'),
    await tokenOf('both', 'configmaps', 'secrets'),
    await tokenOf('stranger'),
  ]
  expect((await stream()).status).toBe(401)
  expect((await stream('made-up')).status).toBe(401)
  const refused = await stream(stranger)
  expect(refused.status).toBe(403)
  expect(await refused.text()).toContain(`system:serviceaccount:${namespace}:stranger may not get /page`)

  await client.create(ConfigMap, { metadata: { namespace, name: 'first', labels: { copied: 'yes' } } })
  const read = (token: string, ...wanted: string[]): Promise<string> =>
    readStream(origin, { authorization: `Bearer ${token}` }, ...wanted)
  const all = await read(both, '"name":"first"', '"kind":"Secret"', '(hidden)', '"type":"ended"')
  expect(all).not.toContain(btoa('a secret word'))
  await client.create(ConfigMap, { metadata: { namespace, name: 'second' } })
  expect(await read(one, '"name":"first"', '"name":"second"', '"type":"ended"')).not.toContain(
    '"kind":"Secret"',
  )
})
