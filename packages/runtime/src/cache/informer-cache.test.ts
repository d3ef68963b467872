import { SimulatedClock } from '@homeostat/api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { configMap, ConfigMap, json, ScriptedApi, ScriptedStream } from '../../test/scripted-api.ts'
import { createClient } from '../client/create-client.ts'
import { silentLogger } from '../telemetry/create-logger.ts'
import type { Logger } from '../telemetry/logger.ts'
import { directTransport } from '../transport/direct-transport.ts'
import { InformerCache, type InformerCacheOptions } from './informer-cache.ts'

const running: InformerCache[] = []
afterEach(async () => {
  for (const cache of running.splice(0)) await cache.stop()
})

function setUp(api: ScriptedApi, options: Partial<InformerCacheOptions> = {}) {
  const clock = new SimulatedClock()
  const transport = directTransport(api.handler, { clock })
  const cache = new InformerCache({ transport, clock, ...options })
  running.push(cache)
  return { clock, cache, client: createClient({ transport, clock, cache }) }
}

function listed(): ScriptedStream {
  return new ScriptedStream()
    .event('ADDED', configMap('a', '5', { labels: { app: 'web' } }))
    .event('ADDED', configMap('b', '6', { namespace: 'other', labels: { app: 'api' } }))
    .bookmark('10', { listEnd: true })
}

const key = { namespace: 'default', name: 'a' }

it('has one informer for each kind', () => {
  const { cache } = setUp(new ScriptedApi().otherwise(() => new ScriptedStream().answer()))
  expect(cache.informer(ConfigMap)).toBe(cache.informer({ ...ConfigMap }))
  expect(cache.informer(ConfigMap)).not.toBe(cache.informer({ ...ConfigMap, version: 'v2' }))
})

describe('reads', () => {
  it('wait for the first list, then cost no request', async () => {
    const stream = new ScriptedStream()
    const api = new ScriptedApi().next(stream.answer())
    const { clock, client } = setUp(api)
    const object = client.get(ConfigMap, key)
    await clock.settle()
    stream.event('ADDED', configMap('a', '5')).bookmark('10', { listEnd: true })
    expect(await object).toMatchObject({ metadata: { resourceVersion: '5' } })
    expect(await client.get(ConfigMap, { ...key, name: 'none' })).toBeUndefined()
    expect(await client.list(ConfigMap)).toHaveLength(1)
    expect(api.requests).toHaveLength(1)
  })

  it('select by namespace, labels and the fields that all objects have', async () => {
    const { client } = setUp(new ScriptedApi().next(listed().answer()))
    const names = async (options: object) =>
      (await client.list(ConfigMap, options)).map((object) => object.metadata.name)
    expect(await names({})).toEqual(['a', 'b'])
    expect(await names({ namespace: 'other' })).toEqual(['b'])
    expect(await names({ labels: { app: 'web' } })).toEqual(['a'])
    expect(await names({ labels: 'app in (web, api), app!=web' })).toEqual(['b'])
    expect(await names({ fields: { 'metadata.name': 'a' } })).toEqual(['a'])
    expect(await names({ fields: 'metadata.namespace!=default' })).toEqual(['b'])
  })

  it('by other fields say what to do instead', async () => {
    const { client } = setUp(new ScriptedApi().next(listed().answer()))
    await expect(client.list(ConfigMap, { fields: { 'spec.nodeName': 'x' } })).rejects.toMatchObject({
      code: 'CACHE_FIELD_UNKNOWN',
      message: expect.stringContaining('spec.nodeName'),
    })
  })

  it('with a bad key are refused as the server would be asked in vain', async () => {
    const { client } = setUp(new ScriptedApi())
    await expect(client.get(ConfigMap, { name: 'a' })).rejects.toMatchObject({
      code: 'CLIENT_KEY_INVALID',
    })
  })

  it('that start to watch a kind say so, once', async () => {
    const info = vi.fn<Logger['info']>()
    const { client } = setUp(new ScriptedApi().next(listed().answer()), { logger: { ...silentLogger, info } })
    await client.get(ConfigMap, key)
    await client.get(ConfigMap, key)
    expect(info).toHaveBeenCalledExactlyOnceWith(
      { resource: 'configmaps' },
      expect.stringContaining('list and watch'),
    )
  })

  it('are never older than a write through a client of the cache', async () => {
    const api = new ScriptedApi().next(listed().answer())
    const { client } = setUp(api)
    await client.get(ConfigMap, key)
    api.next(json(configMap('a', '11', { data: { x: 'mine' } })))
    await client.patch(ConfigMap, key, { type: 'merge', body: { data: { x: 'mine' } } })
    expect(await client.get(ConfigMap, key)).toMatchObject({ data: { x: 'mine' } })
    api.next(json({ kind: 'Status', apiVersion: 'v1', status: 'Success', details: { uid: 'uid-a' } }))
    await client.delete(ConfigMap, key)
    expect(await client.get(ConfigMap, key)).toBeUndefined()
    expect(await client.list(ConfigMap, { namespace: 'default' })).toEqual([])
  })
})

it('an apply that changes nothing costs no request at all', async () => {
  const object = configMap('a', '5', { data: { x: '1' } })
  object.metadata.managedFields = [
    { manager: 'homeostat', operation: 'Apply', apiVersion: 'v1', fieldsV1: { 'f:data': { 'f:x': {} } } },
  ]
  const api = new ScriptedApi().next(
    new ScriptedStream().event('ADDED', object).bookmark('10', { listEnd: true }).answer(),
  )
  const { client } = setUp(api)
  await client.apply(ConfigMap, { metadata: key, data: { x: '1' } })
  expect(api.requests).toHaveLength(1)
})

it('a cache that was stopped refuses to read', async () => {
  const { cache, client } = setUp(new ScriptedApi().next(listed().answer()))
  await client.get(ConfigMap, key)
  await cache.stop()
  await expect(client.get(ConfigMap, key)).rejects.toMatchObject({ code: 'CACHE_STOPPED' })
  expect(() => cache.informer({ ...ConfigMap, plural: 'others' })).toThrow(/stopped/)
})
