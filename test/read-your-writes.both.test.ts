import { createClient, InformerCache, type Client, type Transport } from 'homeostat'
import { Deployment, Pod } from 'homeostat/kinds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
let cache: InformerCache
let client: Client
beforeAll(async () => {
  server = await startTestServer()
  const { clock, namespace } = server
  cache = new InformerCache({ transport: withoutEvents(server.transport), clock, namespaces: [namespace] })
  client = createClient({ transport: server.transport, clock, cache })
})
afterAll(async () => {
  await cache.stop()
  await server.close()
})

/** Lists, and then watches that show nothing: what a cached read shows can only come from the own writes. */
function withoutEvents(transport: Transport): Transport {
  return {
    ...transport,
    async send(request) {
      if (!request.query.has('watch')) return transport.send(request)
      async function* silence(): AsyncGenerator<Uint8Array> {
        await new Promise((resolve) => request.signal?.addEventListener('abort', resolve, { once: true }))
        yield* []
      }
      return { status: 200, headers: {}, body: silence() }
    },
  }
}

describe('a cached read is not older than an own write of', () => {
  const labels = { app: 'web' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } }
  const replicas = async (key: { namespace: string; name: string }) => {
    const [listed] = (await client.list(Deployment)).filter(({ metadata }) => metadata.name === key.name)
    const got = await client.getOrThrow(Deployment, key)
    expect(listed).toEqual(got)
    return got.spec.replicas
  }

  test('a scale', async () => {
    const key = { namespace: server.namespace, name: 'scaled' }
    await client.create(Deployment, {
      metadata: key,
      spec: { replicas: 0, selector: { matchLabels: labels }, template },
    })
    expect(await replicas(key)).toBe(0)
    const { resourceVersion: _, ...metadata } = (await client.scale.get(Deployment, key))!.metadata
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale' as const, metadata: metadata as never }
    await client.scale.update(Deployment, { ...scale, spec: { replicas: 1 } })
    expect(await replicas(key)).toBe(1)
    await client.scale.apply(Deployment, key, { replicas: 2 }, { force: true })
    expect(await replicas(key)).toBe(2)
    const patch = { type: 'merge' as const, body: { spec: { replicas: 0 } } }
    await client.subresource('scale').patch(Deployment, key, patch)
    expect(await replicas(key)).toBe(0)
  })

  test('a binding and an eviction', async () => {
    const key = { namespace: server.namespace, name: 'bound' }
    await client.create(Pod, { metadata: key, spec: { ...template.spec, terminationGracePeriodSeconds: 0 } })
    expect((await client.getOrThrow(Pod, key)).spec.nodeName).toBeUndefined()
    const target = { apiVersion: 'v1', kind: 'Node', name: 'somewhere' }
    await client.subresource('binding').create(Pod, key, { apiVersion: 'v1', kind: 'Binding', target })
    expect((await client.getOrThrow(Pod, key)).spec.nodeName).toBe('somewhere')
    await client.subresource('eviction').create(Pod, key, { apiVersion: 'policy/v1', kind: 'Eviction' })
    const gone = await client.get(Pod, key)
    expect(gone?.metadata.deletionTimestamp ?? 'gone').toBeDefined()
    expect((await client.live.get(Pod, key))?.metadata.deletionTimestamp).toBe(
      gone?.metadata.deletionTimestamp,
    )
  })
})
