import { SimulatedClock } from '@homeostat/api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { configMap, ConfigMap, json, ScriptedApi, ScriptedStream, Widget } from '../../test/scripted-api.ts'
import { createClient } from '../client/create-client.ts'
import { silentLogger } from '../telemetry/create-logger.ts'
import { directTransport } from '../transport/direct-transport.ts'
import type { InformerCacheOptions } from './cache-options.ts'
import { InformerCache } from './informer-cache.ts'
import type { ObjectEvent } from './informer.ts'
import { metadataOnly } from '../requests/metadata-only.ts'
import { cacheKind, stripManagedFields } from './kind-options.ts'
import { MetricsRegistry } from '../telemetry/metrics.ts'

const running: InformerCache[] = []
afterEach(async () => {
  for (const cache of running.splice(0)) await cache.stop()
})

function setUp(api: ScriptedApi, options: Partial<InformerCacheOptions> = {}) {
  const clock = new SimulatedClock()
  const transport = directTransport(api.handler, { clock })
  const cache = new InformerCache({ transport, clock, firstList: 'watch-list', ...options })
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

  it('by other fields fail with a remedy', async () => {
    const { client } = setUp(new ScriptedApi().next(listed().answer()))
    await expect(client.list(ConfigMap, { fields: { 'spec.nodeName': 'x' } })).rejects.toMatchObject({
      code: 'CACHE_FIELD_UNKNOWN',
      message: expect.stringContaining('spec.nodeName'),
    })
  })

  it('with an invalid key are refused without a request', async () => {
    const { client } = setUp(new ScriptedApi())
    await expect(client.get(ConfigMap, { name: 'a' })).rejects.toMatchObject({
      code: 'CLIENT_KEY_INVALID',
    })
  })

  it('that start to watch a kind warn once, with the rule that it needs', async () => {
    const warn = vi.fn<(...line: unknown[]) => void>()
    const { client } = setUp(new ScriptedApi().next(listed().answer()), { logger: { ...silentLogger, warn } })
    await client.get(ConfigMap, key)
    await client.get(ConfigMap, key)
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      {
        finding: 'INFORMER_STARTED_BY_READ',
        resource: 'configmaps',
        rule: { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
      },
      expect.stringContaining('needs a role with this rule'),
    )
  })

  it('of a kind that nothing watches fail with missingInformer: fail', async () => {
    const api = new ScriptedApi().next(listed().answer())
    const { cache, client } = setUp(api, { missingInformer: 'fail' })
    await expect(client.get(ConfigMap, key)).rejects.toMatchObject({ code: 'CACHE_INFORMER_MISSING' })
    expect(api.requests).toHaveLength(0)
    cache.informer(ConfigMap)
    expect(await client.get(ConfigMap, key)).toBeDefined()
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

describe('of a kind with options', () => {
  it('requests only the selected objects, in each namespace', async () => {
    const api = new ScriptedApi().otherwise(() =>
      new ScriptedStream().bookmark('10', { listEnd: true }).answer(),
    )
    const { clock, cache } = setUp(api, {
      namespaces: ['a'],
      kinds: [
        cacheKind(ConfigMap, { namespaces: ['a', 'b'], labels: { app: 'web' }, fields: 'metadata.name!=x' }),
      ],
    })
    cache.informer(ConfigMap)
    cache.informer(Widget)
    await clock.settle()
    expect(api.requests.map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/a/configmaps',
      '/api/v1/namespaces/b/configmaps',
      '/apis/example.com/v1/namespaces/a/widgets',
    ])
    expect(api.requests[0]!.query.get('labelSelector')).toBe('app=web')
    expect(api.requests[1]!.query.get('fieldSelector')).toBe('metadata.name!=x')
    expect(api.requests[2]!.query.get('labelSelector')).toBeNull()
  })

  it('reads outside of its namespaces go to the server', async () => {
    const api = new ScriptedApi().next(listed().answer())
    const { client } = setUp(api, { kinds: [{ kind: ConfigMap, namespaces: ['default'] }] })
    expect(await client.get(ConfigMap, key)).toBeDefined()
    api.next(json(configMap('x', '7', { namespace: 'far' })))
    expect(await client.get(ConfigMap, { namespace: 'far', name: 'x' })).toMatchObject({
      metadata: { name: 'x' },
    })
    expect(api.last()).toBe('GET /api/v1/namespaces/far/configmaps/x')
  })

  it('reads go to the server where that was asked for, and controllers still watch', async () => {
    const api = new ScriptedApi().next(json(configMap('a', '5')))
    const { clock, cache, client } = setUp(api, { kinds: [{ kind: ConfigMap, readLive: true }] })
    expect(await client.get(ConfigMap, key)).toMatchObject({ metadata: { resourceVersion: '5' } })
    expect(api.last()).toBe('GET /api/v1/namespaces/default/configmaps/a')
    api.next(listed().answer())
    const events: ObjectEvent[] = []
    cache.informer(ConfigMap).listen((event) => events.push(event))
    await clock.settle()
    expect(events).toHaveLength(2)
  })

  it('a transform decides what is kept, of own writes too, and cannot change what the object is', async () => {
    const managed = (version: string) => {
      const object = configMap('a', version, { data: { x: version } })
      object.metadata.managedFields = [{ manager: 'm' }]
      return object
    }
    const api = new ScriptedApi().next(
      new ScriptedStream().event('ADDED', managed('5')).bookmark('10', { listEnd: true }).answer(),
    )
    const { client } = setUp(api, {
      kinds: [
        cacheKind(ConfigMap, {
          transform: (object) => {
            stripManagedFields(object)
            return { ...object, metadata: { ...object.metadata, uid: 'other', name: 'other' } }
          },
        }),
      ],
    })
    expect(await client.get(ConfigMap, key)).toMatchObject({
      metadata: { name: 'a', uid: 'uid-a', resourceVersion: '5' },
      data: { x: '5' },
    })
    expect((await client.get(ConfigMap, key))!.metadata.managedFields).toBeUndefined()
    api.next(json(managed('11')))
    await client.patch(ConfigMap, key, { type: 'merge', body: { data: { x: '11' } } })
    const read = (await client.get(ConfigMap, key))!
    expect([read.metadata.resourceVersion, read.metadata.managedFields]).toEqual(['11', undefined])
  })

  it('a transform that throws leaves the object unchanged and is logged', async () => {
    const error = vi.fn<(...line: unknown[]) => void>()
    const { client } = setUp(new ScriptedApi().next(listed().answer()), {
      logger: { ...silentLogger, error },
      transform: () => {
        throw new Error('mine')
      },
    })
    expect(await client.list(ConfigMap)).toHaveLength(2)
    expect(error).toHaveBeenCalledTimes(2)
  })

  it('objects are found by an index, by own writes too, and by a field of its name', async () => {
    const stream = listed()
    const api = new ScriptedApi().next(stream.answer())
    const { clock, cache, client } = setUp(api)
    const informer = cache.informer(ConfigMap)
    await clock.settle()
    cache.index(ConfigMap, 'app', (object) => object.metadata.labels?.['app'])
    const names = (value: string, options = {}) =>
      informer.byIndex('app', value, options).map((object) => object.metadata.name)
    expect([names('web'), names('api'), names('none')]).toEqual([['a'], ['b'], []])
    expect(names('api', { namespace: 'default' })).toEqual([])
    expect(await client.list(ConfigMap, { fields: { app: 'web', 'metadata.name': 'a' } })).toHaveLength(1)
    expect(await client.list(ConfigMap, { fields: { app: 'web', 'metadata.name': 'b' } })).toHaveLength(0)
    informer.observeWrite(configMap('a', '11', { labels: { app: 'api' } }))
    expect([names('web'), names('api')]).toEqual([[], ['a', 'b']])
    stream
      .event('MODIFIED', configMap('a', '11', { labels: { app: 'api' } }))
      .event('DELETED', configMap('b', '12', { namespace: 'other', labels: { app: 'api' } }))
    await clock.settle()
    expect([names('web'), names('api')]).toEqual([[], ['a']])
    expect(() => informer.byIndex('owner', 'x')).toThrow(
      expect.objectContaining({ code: 'CACHE_INDEX_UNKNOWN' }),
    )
  })

  it('requests, keeps and reports only metadata, beside the whole objects', async () => {
    const partial = { ...configMap('a', '5'), apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }
    const api = new ScriptedApi().next(
      new ScriptedStream().event('ADDED', partial).bookmark('10', { listEnd: true }).answer(),
    )
    const { cache, client } = setUp(api)
    const Metadata = metadataOnly(ConfigMap)
    const object = await client.get(Metadata, key)
    expect(object).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: partial.metadata })
    expect(api.requests[0]!.headers.accept).toContain('as=PartialObjectMetadata')
    expect(cache.informer(Metadata)).not.toBe(cache.informer(ConfigMap))
    cache.observeWrite(ConfigMap, configMap('a', '11', { data: { x: '1' } }))
    expect(cache.informer(Metadata).get(key)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: expect.objectContaining({ resourceVersion: '11' }),
    })
  })
})

describe('own writes', () => {
  it('that take an object out of the selection hide it at once, in lists too', async () => {
    const stream = listed()
    const api = new ScriptedApi().next(stream.answer())
    const { clock, client } = setUp(api, { kinds: [{ kind: ConfigMap, labels: 'app' }] })
    expect(await client.get(ConfigMap, key)).toBeDefined()
    api.next(json(configMap('a', '11')))
    await client.patch(ConfigMap, key, { type: 'merge', body: { metadata: { labels: null } } })
    expect(await client.get(ConfigMap, key)).toBeUndefined()
    expect(await client.list(ConfigMap, { namespace: 'default' })).toEqual([])
    stream
      .event('DELETED', configMap('a', '11'))
      .event('ADDED', configMap('a', '12', { labels: { app: 'x' } }))
    await clock.settle()
    expect(await client.get(ConfigMap, key)).toMatchObject({ metadata: { resourceVersion: '12' } })
  })

  it('of objects that were never selected are not shown', async () => {
    const api = new ScriptedApi().next(listed().answer())
    const { client } = setUp(api, { kinds: [{ kind: ConfigMap, labels: 'app' }] })
    await client.list(ConfigMap)
    api.next(json(configMap('plain', '11'), 201))
    await client.create(ConfigMap, { metadata: { name: 'plain', namespace: 'default' } })
    expect(await client.get(ConfigMap, { ...key, name: 'plain' })).toBeUndefined()
    expect(await client.list(ConfigMap)).toHaveLength(2)
  })
})

describe('while running', () => {
  const list = (namespace: string, name: string) =>
    new ScriptedStream()
      .event('ADDED', configMap(name, '5', { namespace, uid: `${namespace}/${name}` }))
      .bookmark('10', { listEnd: true })

  it('objects of an added namespace are reported, and those of a removed one are dropped without events', async () => {
    const streams: Record<string, ScriptedStream> = { a: list('a', 'x'), b: list('b', 'y') }
    const api = new ScriptedApi().otherwise(({ path }) => streams[path.split('/')[4]!]!.answer())
    const { clock, cache, client } = setUp(api, { namespaces: ['a'] })
    const informer = cache.informer(ConfigMap)
    const events: string[] = []
    informer.listen((event) => events.push(`${event.type} ${event.key!.namespace}/${event.key!.name}`))
    await clock.settle()
    cache.setNamespaces(['a', 'b'])
    expect(informer.synced).toBe(false)
    expect(await client.get(ConfigMap, { namespace: 'a', name: 'x' })).toBeDefined()
    await clock.settle()
    expect(await client.list(ConfigMap)).toHaveLength(2)
    cache.setNamespaces(['b'])
    await clock.settle()
    expect(informer.list().map(({ metadata }) => metadata.namespace)).toEqual(['b'])
    expect(events).toEqual(['added a/x', 'added b/y'])
    expect(api.requests.map(({ signal }) => signal!.aborted)).toEqual([true, false])
  })

  it('an informer can be removed, and the next read starts it again', async () => {
    const api = new ScriptedApi().next(listed().answer()).next(listed().answer())
    const { clock, cache, client } = setUp(api)
    await client.get(ConfigMap, key)
    const informer = cache.informer(ConfigMap)
    expect(await cache.remove(ConfigMap)).toBe(true)
    expect(await cache.remove(ConfigMap)).toBe(false)
    expect(api.requests[0]!.signal!.aborted).toBe(true)
    expect(clock.nextDue()).toBeUndefined()
    await expect(informer.whenSynced()).rejects.toMatchObject({ code: 'CACHE_STOPPED' })
    expect(await client.get(ConfigMap, key)).toBeDefined()
    expect(api.requests).toHaveLength(2)
  })

  it('an informer that lost its last listener ends ten minutes after its last read', async () => {
    const api = new ScriptedApi().otherwise(() => listed().answer())
    const { clock, cache, client } = setUp(api)
    const informer = cache.informer(ConfigMap)
    const listening = informer.listen(() => {})
    await clock.advance('1h')
    listening[Symbol.dispose]()
    await clock.advance('9m')
    await client.get(ConfigMap, key)
    await clock.advance('9m')
    expect(cache.informer(ConfigMap)).toBe(informer)
    await clock.advance('2m')
    expect(clock.nextDue()).toBeUndefined()
    expect(cache.informer(ConfigMap)).not.toBe(informer)
  })

  it('an informer that gets a listener again stays', async () => {
    const api = new ScriptedApi().otherwise(() => listed().answer())
    const { clock, cache } = setUp(api)
    const informer = cache.informer(ConfigMap)
    informer.listen(() => {})[Symbol.dispose]()
    informer.listen(() => {})
    await clock.advance('1h')
    expect(cache.informer(ConfigMap)).toBe(informer)
  })
})

it('shows how many objects and bytes it keeps of each kind', async () => {
  const metrics = new MetricsRegistry()
  const object = configMap('a', '5')
  const stream = new ScriptedStream().event('ADDED', object).bookmark('10', { listEnd: true })
  const { clock, cache } = setUp(new ScriptedApi().next(stream.answer()), { metrics })
  cache.informer(ConfigMap)
  await clock.settle()
  const labels = '{content="object",group="",resource="configmaps",version="v1"}'
  expect(metrics.page()).toContain(`homeostat_cache_objects${labels} 1\n`)
  expect(metrics.page()).toContain(`homeostat_cache_bytes${labels} ${JSON.stringify(object).length}\n`)
  stream.event('DELETED', { ...object, metadata: { ...object.metadata, resourceVersion: '11' } })
  await clock.settle()
  expect(metrics.page()).toContain(`homeostat_cache_bytes${labels} 0\n`)
  await cache.remove(ConfigMap)
  expect(metrics.page()).toBe('')
})
