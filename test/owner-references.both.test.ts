import { defineKind, schema as s, type AnyKind } from '@homeostat/api'
import { controllerReference, createClient, InformerCache, metadataOnly, type Owner } from 'homeostat'
import { ConfigMap, Deployment } from 'homeostat/kinds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const Owning = defineKind({
  group: 'owners.homeostat.test',
  version: 'v1',
  kind: 'Owning',
  spec: s.object({ size: s.integer().default(1) }),
  status: s.object({ size: s.integer().optional() }),
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ kinds: [Owning] })
})
afterAll(() => server.close())

describe.each([ConfigMap, Owning])('an owner of the kind $kind says its kind', (kind: AnyKind) => {
  let key: { namespace: string; name: string }
  let reference: object
  beforeAll(async () => {
    const { client, namespace } = server
    key = { namespace, name: `owner-${kind.singular}` }
    const { uid } = (await client.create(kind, { metadata: key, spec: {} })).metadata
    reference = {
      apiVersion: kind === ConfigMap ? 'v1' : 'owners.homeostat.test/v1',
      kind: kind.kind,
      name: key.name,
      uid,
      controller: true,
      blockOwnerDeletion: true,
    }
  })

  const only = (objects: readonly Owner[]): Owner =>
    objects.find(({ metadata }) => metadata.name === key.name)!

  test('in every answer of a client', async () => {
    const { client, namespace } = server
    const body = { metadata: { labels: { a: 'b' } } }
    const owners = [
      await client.getOrThrow(kind, key),
      only(await client.list(kind, { namespace })),
      await client.apply(kind, { metadata: { ...key, labels: { c: 'd' } } }),
      await client.patch(kind, key, { type: 'merge', body }),
      await client.update(kind, await client.getOrThrow(kind, key)),
    ]
    for await (const page of client.pages(kind, { namespace })) owners.push(only(page))
    expect(owners).toHaveLength(6)
    for (const owner of owners) expect(controllerReference(owner)).toEqual(reference)
  })

  test.each([
    ['as the server sends it', (kind: AnyKind) => kind, undefined],
    ['by its metadata alone', metadataOnly as (kind: AnyKind) => AnyKind, undefined],
    ['after a transform that drops it', (kind: AnyKind) => kind, ({ metadata }: Owner) => ({ metadata })],
  ])('in a cache, %s', async (_, as, transform) => {
    const { transport, clock, namespace } = server
    const cached = as(kind)
    const kinds = [{ kind: cached, transform: transform as never, namespaces: [namespace] }]
    await using cache = new InformerCache({ transport, clock, kinds })
    const client = createClient({ transport, clock, cache })
    const owners = [await client.getOrThrow(cached, key), only(await client.list(cached, { namespace }))]
    const informer = cache.informer(cached)
    await informer.whenSynced()
    using _listening = informer.listen((event) => {
      if (event.object.metadata.name === key.name) owners.push(event.object as never)
    })
    expect(owners).toHaveLength(3)
    for (const owner of owners) expect(controllerReference(owner as Owner)).toEqual(reference)
  })
})

test('a Scale, which has the name and the uid of its object, is refused as an owner', async () => {
  const { client, namespace } = server
  const key = { namespace, name: 'scaled' }
  const labels = { app: 'scaled' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } }
  const { uid } = (
    await client.create(Deployment, {
      metadata: key,
      spec: { replicas: 0, selector: { matchLabels: labels }, template },
    })
  ).metadata
  const scale = (await client.scale.get(Deployment, key))!
  expect(scale.metadata.uid).toBe(uid)
  expect(() => controllerReference(scale as Owner)).toThrow(/Scale .*describes an object and is not one/)
})
