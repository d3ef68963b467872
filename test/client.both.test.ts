import { defineKind, schema as s } from '@homeostat/api'
import { isConflict, retryOnConflict } from 'homeostat'
import { ConfigMap, Deployment, Pod } from 'homeostat/kinds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const Gauge = defineKind({
  group: 'client.homeostat.test',
  version: 'v1',
  kind: 'Gauge',
  spec: s.object({ size: s.integer().default(1) }),
  status: s.object({ size: s.integer() }),
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('kinds by their names', () => {
  test('are those that the server serves, a new one as soon as it is', async () => {
    const { client, namespace } = server
    expect(await client.kinds.find('apps/v1', 'Deployment')).toMatchObject({
      plural: 'deployments',
      scope: 'Namespaced',
      subresources: { status: true, scale: { specReplicasPath: '.spec.replicas' } },
    })
    expect(await client.kinds.find('v1', 'Namespace')).toMatchObject({ scope: 'Cluster' })
    expect(await client.kinds.find('client.homeostat.test/v1', 'Nothing')).toBeUndefined()
    await server.install(Gauge)
    const kind = await server.until('finding the new kind', () =>
      client.kinds.find('client.homeostat.test/v1', 'Gauge'),
    )
    await client.create(kind, { metadata: { namespace, name: 'dynamic' }, spec: { size: 3 } })
    const object = await client.getOrThrow(kind, { namespace, name: 'dynamic' })
    expect(object).toMatchObject({ kind: 'Gauge', spec: { size: 3 } })
    // A real server writes the document of all groups a moment after that of one.
    const listed = await server.until('the new kind among all', async () => {
      const all = await client.kinds.list()
      return all.find((served) => served.kind.kind === 'Gauge')
    })
    expect(listed).toMatchObject({
      kind: { group: 'client.homeostat.test', subresources: { status: true } },
      verbs: expect.arrayContaining(['list', 'watch', 'deletecollection']) as string[],
    })
  })
})

describe('an update of the status', () => {
  test('keeps the managed fields of the other parts, although the client does not send them', async () => {
    const { client, namespace } = server
    await server.install(Gauge)
    const name = { namespace, name: 'reported' }
    const made = await client.create(Gauge, { metadata: name, spec: { size: 2 } })
    const reported = await client.status.update(Gauge, { ...made, status: { size: 2 } })
    const fields = reported.metadata.managedFields?.map(({ subresource, fieldsV1 }) => ({
      subresource,
      fieldsV1,
    }))
    expect(fields).toEqual([
      { subresource: undefined, fieldsV1: made.metadata.managedFields?.[0]?.fieldsV1 },
      { subresource: 'status', fieldsV1: { 'f:status': { '.': {}, 'f:size': {} } } },
    ])
  })
})

describe.each([Deployment, Gauge])('scale of a $kind', (kind) => {
  let key: { namespace: string; name: string }
  beforeAll(async () => {
    const { client, namespace } = server
    key = { namespace, name: `scaled-${kind.singular}` }
    const labels = { app: 'scaled' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } }
    await server.install(Gauge)
    if (kind === Gauge) await client.create(Gauge, { metadata: key, spec: {} })
    else {
      const spec = { selector: { matchLabels: labels }, template }
      await client.create(Deployment, { metadata: key, spec })
    }
  })

  test('is read and replaced', async () => {
    const { client } = server
    expect(await client.scale.get(kind, { ...key, name: 'none' })).toBeUndefined()
    const before = (await client.scale.get(kind, key))!
    expect(before.spec).toEqual({ replicas: 1 })
    // Controllers write to the object meanwhile, several times while it is new.
    const replace = async () => {
      const scale = (await client.scale.get(kind, key))!
      return client.scale.update(kind, { ...scale, spec: { replicas: 4 } })
    }
    const after = await retryOnConflict(server.clock, replace, { attempts: 50 })
    expect(after.spec?.replicas).toBe(4)
    await expect(client.scale.update(kind, before)).rejects.toSatisfy(isConflict)
  })
})

// Kubernetes takes it for native kinds alone.
test('a scale is applied, and not twice', async () => {
  const { client, namespace } = server
  const key = { namespace, name: 'scaled-deployment' }
  const applied = await client.scale.apply(Deployment, key, { replicas: 2 }, { force: true })
  expect(applied).toMatchObject({ kind: 'Scale', spec: { replicas: 2 } })
  const before = server.writes.length
  expect((await client.scale.apply(Deployment, key, { replicas: 2 })).spec?.replicas).toBe(2)
  expect(server.writes).toHaveLength(before)
  await client.scale.apply(Deployment, key, { replicas: 3 })
  expect(server.writes).toHaveLength(before + 1)
})

test('a Pod is bound to a node, once', async () => {
  const { client, namespace } = server
  const key = { namespace, name: 'bound' }
  await client.create(Pod, { metadata: key, spec: { containers: [{ name: 'a', image: 'a' }] } })
  const binding = { apiVersion: 'v1', kind: 'Binding', target: { kind: 'Node', name: 'node-1' } }
  const bind = () => client.subresource('binding').create(Pod, key, binding)
  expect(await bind()).toMatchObject({ kind: 'Status', status: 'Success' })
  expect((await client.getOrThrow(Pod, key)).spec.nodeName).toBe('node-1')
  await expect(bind()).rejects.toSatisfy(isConflict)
})

test('pages show all objects of one moment, page by page', async () => {
  const { client, namespace } = server
  const names = Array.from({ length: 7 }, (_, index) => `page-${index}`)
  const labels = { pages: 'yes' }
  for (const name of names) await client.create(ConfigMap, { metadata: { namespace, name, labels } })
  const seen: string[][] = []
  for await (const page of client.pages(ConfigMap, { namespace, labels, limit: 3 })) {
    seen.push(page.map(({ metadata }) => metadata.name))
    await client.delete(ConfigMap, { namespace, name: 'page-6' })
  }
  expect(seen.map((page) => page.length)).toEqual([3, 3, 1])
  expect(seen.flat()).toEqual(names)
})

test('an unknown field is refused where that is asked for, and a dry run stores nothing', async () => {
  const { client, namespace } = server
  const key = { namespace, name: 'strict' }
  const unknown = { metadata: key, datum: 'x' } as { metadata: typeof key }
  await expect(client.create(ConfigMap, unknown, { fieldValidation: 'Strict' })).rejects.toMatchObject({
    code: 'API_BAD_REQUEST',
    message: expect.stringContaining('unknown field "datum"') as string,
  })
  await client.create(ConfigMap, unknown, { fieldValidation: 'Ignore', dryRun: true })
  expect(await client.live.get(ConfigMap, key)).toBeUndefined()
})

test('a deletion is refused where the object is another one', async () => {
  const { client, namespace } = server
  const key = { namespace, name: 'precious' }
  const { metadata } = await client.create(ConfigMap, { metadata: key })
  const deletion = (uid: string) => client.delete(ConfigMap, key, { preconditions: { uid } })
  await expect(deletion('00000000-0000-0000-0000-000000000000')).rejects.toSatisfy(isConflict)
  expect(await deletion(metadata.uid)).toBe(true)
})
