import { SimulatedClock } from '@homeostat/api'
import { ConfigMap, Namespace, Pod } from '@homeostat/api/kinds'
import { beforeEach, describe, expect, test } from 'vitest'
import { json, ScriptedApi } from '../../../test/scripted-api.ts'
import { directTransport } from '../../transport/direct-transport.ts'
import type { Client } from '../interface/client.ts'
import { createClient } from '../create-client.ts'
import { interceptClient } from './intercept-client.ts'
import { namespacedClient } from './namespaced-client.ts'

let api: ScriptedApi
let client: Client

beforeEach(() => {
  const clock = new SimulatedClock()
  api = new ScriptedApi().otherwise(json({ kind: 'X', metadata: { name: 'x', uid: 'u' }, items: [] }))
  client = createClient({ transport: directTransport(api.handler, { clock }), clock })
})

const key = { namespace: 'a', name: 'x' }

describe('an interceptor', () => {
  test('sees every call, by the name of the method', async () => {
    const seen: string[] = []
    const watched = interceptClient(client, (call, next) => {
      seen.push(`${call.method} ${call.kind.kind}`)
      return next()
    })
    await watched.get(ConfigMap, key)
    await watched.live.list(ConfigMap)
    await watched.apply(ConfigMap, { metadata: key })
    await watched.status.patch(Pod, key, { type: 'merge', body: { status: { phase: 'Running' } } })
    await watched.subresource('eviction').create(Pod, key, { apiVersion: 'policy/v1', kind: 'Eviction' })
    for await (const _ of watched.pages(ConfigMap));
    await watched.deleteAllOf(ConfigMap, { namespace: 'a' })
    expect(seen).toEqual([
      'get ConfigMap',
      'live.list ConfigMap',
      'apply ConfigMap',
      'status.patch Pod',
      'eviction.create Pod',
      'pages ConfigMap',
      'deleteAllOf ConfigMap',
    ])
    expect(api.requests.length).toBeGreaterThanOrEqual(seen.length)
  })

  test('may fail in the client’s place, answer, or change the call', async () => {
    const odd = interceptClient(client, async (call, next) => {
      if (call.method === 'create') throw new Error('no creates today')
      if (call.method === 'list') return []
      return next({ ...call, args: [{ namespace: 'b', name: 'y' }] })
    })
    await expect(odd.create(ConfigMap, { metadata: key })).rejects.toThrow('no creates today')
    expect(await odd.list(ConfigMap)).toEqual([])
    expect(api.requests).toEqual([])
    await odd.get(ConfigMap, key)
    expect(api.last()).toBe('GET /api/v1/namespaces/b/configmaps/y')
  })
})

describe('a client of one namespace', () => {
  test('fills it in, in keys, objects and lists', async () => {
    const kept = namespacedClient(client, 'a')
    await kept.get(ConfigMap, { name: 'x' } as never)
    await kept.create(ConfigMap, { metadata: { name: 'x' } } as never)
    await kept.list(ConfigMap)
    await kept.deleteAllOf(ConfigMap)
    for await (const _ of kept.pages(ConfigMap));
    for (const { path } of api.requests) expect(path).toContain('/namespaces/a/configmaps')
    expect(api.bodyOf(1)).toMatchObject({ metadata: { namespace: 'a', name: 'x' } })
  })

  test('refuses another, and sends nothing', async () => {
    const kept = namespacedClient(client, 'a')
    const other = { namespace: 'b', name: 'x' }
    const acts = [
      () => kept.get(ConfigMap, other),
      () => kept.apply(ConfigMap, { metadata: other }),
      () => kept.list(ConfigMap, { namespace: 'b' }),
      () => kept.status.apply(Pod, other, {}),
    ]
    for (const act of acts) {
      await expect(act()).rejects.toMatchObject({ code: 'CLIENT_NAMESPACE_DIFFERS' })
    }
    await expect(kept.delete(ConfigMap, other)).rejects.toThrow(
      'delete of configmaps in the namespace b is refused: this client is limited to the namespace a. Use another client, or leave the namespace out.',
    )
    expect(api.requests).toEqual([])
  })

  test('does not affect cluster-scoped kinds', async () => {
    await namespacedClient(client, 'a').get(Namespace, { name: 'b' })
    expect(api.last()).toBe('GET /api/v1/namespaces/b')
  })
})
