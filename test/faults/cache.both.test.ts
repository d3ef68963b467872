import { customResourceDefinition } from '@homeostat/api'
import {
  createClient,
  defineKind,
  InformerCache,
  metadataOnly,
  schema as s,
  type CacheOptions,
  type Client,
} from 'homeostat'
import { ConfigMap, CustomResourceDefinition, Namespace } from 'homeostat/kinds'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

const Leaf = defineKind({
  group: 'cache.example.com',
  version: 'v1',
  kind: 'Leaf',
  plural: 'leaves',
  spec: s.object({ color: s.string() }),
})

let server: TestServer
const caches: InformerCache[] = []

beforeAll(async () => {
  server = await startTestServer({ kinds: [Leaf] })
})
afterEach(async () => {
  for (const cache of caches.splice(0)) await cache.stop()
})
afterAll(() => server.close())

function cached(options: CacheOptions = {}): { cache: InformerCache; client: Client } {
  const { transport, clock } = server
  const cache = new InformerCache({ transport, clock, ...options })
  caches.push(cache)
  return { cache, client: createClient({ transport, clock, cache, fieldManager: 'test' }) }
}

const at = (name: string) => ({ namespace: server.namespace, name })

describe('a cached read right after a write', () => {
  test('shows a create, an update, a write that changes nothing, and a deletion, in lists too', async () => {
    const { client } = cached()
    const names = async () =>
      (await client.list(ConfigMap, { namespace: server.namespace }))
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.startsWith('own-'))
    expect(await names()).toEqual([])
    for (let round = 0; round < 5; round++) {
      const name = `own-${round}`
      const made = await client.create(ConfigMap, { metadata: at(name), data: { x: '1' } })
      expect(await client.get(ConfigMap, at(name))).toEqual(made)
      expect(await names()).toEqual([name])
      const patch = { type: 'merge' as const, body: { data: { x: '2' } } }
      const changed = await client.patch(ConfigMap, at(name), patch)
      expect((await client.get(ConfigMap, at(name)))?.data).toEqual({ x: '2' })
      const same = await client.patch(ConfigMap, at(name), patch)
      expect(same.metadata.resourceVersion).toBe(changed.metadata.resourceVersion)
      expect((await client.get(ConfigMap, at(name)))?.data).toEqual({ x: '2' })
      await client.delete(ConfigMap, at(name))
      expect(await client.get(ConfigMap, at(name))).toBeUndefined()
      expect(await names()).toEqual([])
    }
  })

  test('shows that an object came into the selection, and that it left', async () => {
    const { client } = cached({ kinds: [{ kind: ConfigMap, labels: { pick: 'me' } }] })
    await client.create(ConfigMap, { metadata: at('picked') })
    expect(await client.get(ConfigMap, at('picked'))).toBeUndefined()
    const label = (pick: string | null) =>
      client.patch(ConfigMap, at('picked'), { type: 'merge', body: { metadata: { labels: { pick } } } })
    for (let round = 0; round < 3; round++) {
      await label('me')
      expect(await client.get(ConfigMap, at('picked'))).toBeDefined()
      await label(null)
      expect(await client.get(ConfigMap, at('picked'))).toBeUndefined()
      expect(await client.list(ConfigMap)).toEqual([])
    }
  })
})

test('of a metadata-only kind nothing but metadata is sent and kept', async () => {
  const { cache, client } = cached()
  await server.client.create(ConfigMap, {
    metadata: { ...at('meta'), labels: { x: 'y' } },
    data: { big: 'x'.repeat(1_000) },
  })
  const object = (await client.get(metadataOnly(ConfigMap), at('meta')))!
  expect(object).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: expect.objectContaining({ labels: { x: 'y' } }),
  })
  const informer = cache.informer(metadataOnly(ConfigMap))
  await server.client.patch(ConfigMap, at('meta'), {
    type: 'merge',
    body: { metadata: { labels: { x: 'z' } } },
  })
  await server.until('the new label', async () => informer.get(at('meta'))?.metadata.labels?.['x'] === 'z')
  expect(JSON.stringify(informer.list())).not.toContain('xxxxxx')
})

test('namespaces come and go while it runs', async () => {
  const other = `${server.namespace}-b`
  await server.client.create(Namespace, { metadata: { name: other } })
  await server.client.create(Leaf, { metadata: at('here'), spec: { color: 'green' } })
  await server.client.create(Leaf, { metadata: { namespace: other, name: 'there' }, spec: { color: 'red' } })
  const { cache, client } = cached({ namespaces: [server.namespace] })
  const names = async () => (await client.list(Leaf)).map(({ metadata }) => metadata.name)
  expect(await names()).toEqual(['here'])
  cache.setNamespaces([server.namespace, other])
  expect((await names()).sort()).toEqual(['here', 'there'])
  cache.setNamespaces([other])
  expect(await names()).toEqual(['there'])
  expect(await client.get(Leaf, at('here'))).toMatchObject({ spec: { color: 'green' } })
  await server.client.delete(Namespace, { name: other })
})

test('a CRD that is deleted and made again is followed, with nothing lost', async () => {
  const Twig = defineKind({ ...TWIG, spec: s.object({ length: s.integer() }) })
  await server.install(Twig)
  await server.client.create(Twig, { metadata: at('old'), spec: { length: 1 } })
  const { cache, client } = cached()
  const told: string[] = []
  const informer = cache.informer(Twig)
  informer.listen(({ type, key }) => told.push(`${type} ${key!.name}`))
  await informer.whenSynced()
  await server.client.delete(CustomResourceDefinition, { name: 'twigs.cache.example.com' })
  await server.until('the kind is known to be gone', async () =>
    client.get(Twig, at('old')).then(
      () => false,
      (error) => error.code === 'API_KIND_NOT_SERVED',
    ),
  )
  await server.until('its definition is gone', async () =>
    server.client
      .create(CustomResourceDefinition, customResourceDefinition(Twig))
      .then(() => true)
      .catch(() => false),
  )
  await server.install(Twig)
  await server.client.create(Twig, { metadata: at('new'), spec: { length: 2 } })
  await server.until('the new object', async () => told.includes('added new'))
  expect(told).toEqual(['added old', 'deleted old', 'added new'])
})

const TWIG = { group: 'cache.example.com', version: 'v1', kind: 'Twig' }
