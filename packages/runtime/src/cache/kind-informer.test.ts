import { SimulatedClock } from '@homeostat/api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  configMap,
  ConfigMap,
  failure,
  failureStatus,
  plain,
  ScriptedApi,
  ScriptedStream,
  Widget,
} from '../../test/scripted-api.ts'
import { silentLogger } from '../telemetry/create-logger.ts'
import { directTransport } from '../transport/direct-transport.ts'
import type { ObjectEvent } from './informer.ts'
import { KindInformer, type KindInformerOptions } from './kind-informer.ts'

const running: KindInformer[] = []
afterEach(async () => {
  for (const informer of running.splice(0)) await informer.stop()
})

function inform(api: ScriptedApi, options: Partial<KindInformerOptions<typeof ConfigMap>> = {}) {
  const clock = new SimulatedClock()
  const transport = directTransport(api.handler, { clock })
  const informer = new KindInformer({
    kind: ConfigMap,
    transport,
    clock,
    firstList: 'watch-list',
    ...options,
  })
  running.push(informer)
  const events: string[] = []
  const record = (event: ObjectEvent): void => void events.push(describeEvent(event))
  informer.listen(record)
  return { clock, informer, events, names: () => informer.list().map((object) => object.metadata.name) }
}

function describeEvent(event: ObjectEvent): string {
  const version = (object: ObjectEvent['object']): string => object.metadata.resourceVersion
  const what = `${event.type} ${event.object.metadata.name}`
  if (event.type === 'updated') return `${what} ${version(event.before)}→${version(event.object)}`
  return event.type === 'added' && event.initial ? `${what} (initial)` : what
}

/** A stream that has listed `a` at 5 and `b` at 6, up to version 10. */
function listed(): ScriptedStream {
  return new ScriptedStream()
    .event('ADDED', configMap('a', '5', { data: { x: '1' } }))
    .event('ADDED', configMap('b', '6'))
    .bookmark('10', { listEnd: true })
}

const key = (name: string) => ({ namespace: 'default', name })

describe('the copy', () => {
  it('is synced when the first list has arrived and was reported', async () => {
    const stream = new ScriptedStream()
    const { clock, informer, events } = inform(new ScriptedApi().next(stream.answer()))
    let synced = false
    const waiting = informer.whenSynced().then(() => (synced = true))
    await clock.settle()
    expect([informer.synced, synced]).toEqual([false, false])
    stream.event('ADDED', configMap('a', '5')).bookmark('10', { listEnd: true })
    await clock.settle()
    await waiting
    expect(informer.synced).toBe(true)
    expect(events).toEqual(['added a (initial)'])
  })

  it('follows the watch', async () => {
    const stream = listed()
    const { clock, events, names, informer } = inform(new ScriptedApi().next(stream.answer()))
    stream
      .event('ADDED', configMap('c', '11'))
      .event('MODIFIED', configMap('a', '12', { data: { x: '2' } }))
      .event('DELETED', configMap('b', '13'))
    await clock.settle()
    expect(events.slice(2)).toEqual(['added c', 'updated a 5→12', 'deleted b'])
    expect(names()).toEqual(['a', 'c'])
    expect(informer.get(key('a'))).toMatchObject({ data: { x: '2' } })
    expect(informer.get(key('b'))).toBeUndefined()
  })

  it('lists in the order of a server, all or one namespace', async () => {
    const stream = new ScriptedStream()
    for (const [namespace, name] of [
      ['a', 'z'],
      ['a-b', 'y'],
      ['a', 'b'],
      ['b', 'x'],
    ] as const) {
      stream.event('ADDED', configMap(name, '5', { namespace, uid: `${namespace}/${name}` }))
    }
    stream.bookmark('10', { listEnd: true })
    const { clock, informer, names } = inform(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    expect(names()).toEqual(['y', 'b', 'z', 'x'])
    expect(informer.list({ namespace: 'a' }).map((object) => object.metadata.name)).toEqual(['b', 'z'])
    expect(informer.list({ namespace: 'none' })).toEqual([])
  })

  it('cannot be corrupted by its readers', async () => {
    const { clock, informer } = inform(new ScriptedApi().next(listed().answer()))
    await clock.settle()
    const object = informer.get(key('a'))!
    expect(() => (object['data'].x = 'changed')).toThrow(TypeError)
    expect(() => (object.metadata.labels = {})).toThrow(TypeError)
  })

  it('does not go back in time, nor report the same version twice', async () => {
    const stream = listed()
    const { clock, events, informer } = inform(new ScriptedApi().next(stream.answer()))
    stream
      .event('MODIFIED', configMap('a', '12'))
      .event('MODIFIED', configMap('a', '12'))
      .event('MODIFIED', configMap('a', '11'))
    await clock.settle()
    expect(events.slice(2)).toEqual(['updated a 5→12'])
    expect(informer.get(key('a'))!.metadata.resourceVersion).toBe('12')
  })

  it('compares versions as numbers of any length', async () => {
    const stream = new ScriptedStream()
      .event('ADDED', configMap('a', '99999999999999999998'))
      .bookmark('99999999999999999998', { listEnd: true })
    const { clock, events } = inform(new ScriptedApi().next(stream.answer()))
    stream
      .event('MODIFIED', configMap('a', '99999999999999999999'))
      .event('MODIFIED', configMap('a', '100000000000000000000'))
    await clock.settle()
    expect(events.slice(1)).toHaveLength(2)
  })

  it('shows an object that was created again as deleted and added', async () => {
    const stream = listed()
    const { clock, events } = inform(new ScriptedApi().next(stream.answer()))
    stream.event('MODIFIED', configMap('a', '12', { uid: 'second' }))
    await clock.settle()
    expect(events.slice(2)).toEqual(['deleted a', 'added a'])
  })
})

describe('a new list', () => {
  it('reports exactly the changes since the last list', async () => {
    const again = new ScriptedStream()
      .event('ADDED', configMap('a', '5', { data: { x: '1' } }))
      .event('ADDED', configMap('c', '21'))
      .event('ADDED', configMap('d', '22', { uid: 'second d' }))
      .event('ADDED', configMap('e', '23'))
      .bookmark('30', { listEnd: true })
    const first = listed()
      .event('ADDED', configMap('c', '11'))
      .event('ADDED', configMap('d', '12'))
      .event('ERROR', failureStatus(410, 'Expired'))
    const { clock, events, names } = inform(new ScriptedApi().next(first.answer()).next(again.answer()))
    await clock.settle()
    expect(events.slice(4)).toEqual(['deleted b', 'deleted d', 'updated c 11→21', 'added d', 'added e'])
    expect(names()).toEqual(['a', 'c', 'd', 'e'])
  })

  it('is not the first list: what it adds is not initial', async () => {
    const first = listed().event('ERROR', failureStatus(410, 'Expired'))
    const again = new ScriptedStream()
      .event('ADDED', configMap('a', '5'))
      .event('ADDED', configMap('b', '6'))
      .event('ADDED', configMap('c', '21'))
      .bookmark('30', { listEnd: true })
    const { clock, events } = inform(new ScriptedApi().next(first.answer()).next(again.answer()))
    await clock.advance('2s')
    expect(events).toEqual(['added a (initial)', 'added b (initial)', 'added c'])
  })
})

describe('listeners', () => {
  it('that are added late get the existing objects', async () => {
    const { clock, informer } = inform(new ScriptedApi().next(listed().answer()))
    await clock.settle()
    const late: string[] = []
    informer.listen((event) => late.push(describeEvent(event)))
    expect(late).toEqual(['added a (initial)', 'added b (initial)'])
  })

  it('that were removed get no more events', async () => {
    const stream = listed()
    const { clock, informer } = inform(new ScriptedApi().next(stream.answer()))
    const listener = vi.fn<(event: ObjectEvent) => void>()
    const listening = informer.listen(listener)
    await clock.settle()
    listening[Symbol.dispose]()
    stream.event('MODIFIED', configMap('a', '12'))
    await clock.settle()
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('that throw are logged, and the others still get the event', async () => {
    const error = vi.fn<(...line: unknown[]) => void>()
    const { clock, informer, events } = inform(new ScriptedApi().next(listed().answer()), {
      logger: { ...silentLogger, error, child: () => silentLogger },
    })
    informer.listen(() => {
      throw new Error('mine')
    })
    const after = vi.fn<(event: ObjectEvent) => void>()
    informer.listen(after)
    await clock.settle()
    expect(events).toHaveLength(2)
    expect(after).toHaveBeenCalledTimes(2)
    expect(error).toHaveBeenCalledTimes(2)
  })

  it('get everything again every 10 hours, give or take a tenth', async () => {
    const times: number[] = []
    const clock = new SimulatedClock()
    const stream = listed()
    // Every few minutes the stream ends and a new one begins.
    const api = new ScriptedApi().next(stream.answer()).otherwise(() => new ScriptedStream().answer())
    const informer = new KindInformer({
      kind: ConfigMap,
      clock,
      transport: directTransport(api.handler, { clock }),
      firstList: 'watch-list',
    })
    running.push(informer)
    informer.listen((event) => {
      if (event.type === 'resync' && event.object.metadata.name === 'a') times.push(clock.monotonic())
    })
    await clock.advance('33h')
    expect(times).toHaveLength(3)
    const pauses = times.map((time, index) => (time - (times[index - 1] ?? 0)) / 3_600_000)
    for (const pause of pauses) expect(Math.abs(pause - 10)).toBeLessThanOrEqual(1)
    expect(new Set(pauses).size).toBe(3)
  })
})

describe('own writes', () => {
  it('are seen by reads at once, and by listeners only through the watch', async () => {
    const stream = listed()
    const { clock, informer, events, names } = inform(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    informer.observeWrite(configMap('a', '11', { data: { x: 'mine' } }))
    informer.observeWrite(configMap('new', '12'))
    expect(informer.get(key('a'))).toMatchObject({ data: { x: 'mine' } })
    expect(names()).toEqual(['a', 'b', 'new'])
    expect(events).toHaveLength(2)
    stream
      .event('MODIFIED', configMap('a', '11', { data: { x: 'mine' } }))
      .event('ADDED', configMap('new', '12'))
    await clock.settle()
    expect(events.slice(2)).toEqual(['updated a 5→11', 'added new'])
  })

  it('are replaced by later events of the watch', async () => {
    const stream = listed()
    const { clock, informer } = inform(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    informer.observeWrite(configMap('a', '11', { data: { x: 'mine' } }))
    stream.event('MODIFIED', configMap('a', '12', { data: { x: 'theirs' } }))
    await clock.settle()
    expect(informer.get(key('a'))).toMatchObject({ data: { x: 'theirs' } })
  })

  it('stay while the watch shows only older versions', async () => {
    const stream = listed()
    const { clock, informer } = inform(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    informer.observeWrite(configMap('a', '15', { data: { x: 'mine' } }))
    stream
      .event('MODIFIED', configMap('a', '12', { data: { x: 'older' } }))
      .event('DELETED', configMap('b', '13'))
    await clock.settle()
    expect(informer.get(key('a'))).toMatchObject({ data: { x: 'mine' } })
  })

  it('that the watch has reported before change nothing', async () => {
    const stream = listed()
    const { clock, informer } = inform(new ScriptedApi().next(stream.answer()))
    stream.event('MODIFIED', configMap('a', '11')).event('DELETED', configMap('a', '12'))
    await clock.settle()
    informer.observeWrite(configMap('a', '11'))
    expect(informer.get(key('a'))).toBeUndefined()
  })

  it('of a deletion hide the object, though the watch still shows it', async () => {
    const stream = listed()
    const { clock, informer, names, events } = inform(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    informer.observeDelete(key('a'), 'uid-a')
    stream.event('MODIFIED', configMap('a', '11'))
    await clock.settle()
    expect(informer.get(key('a'))).toBeUndefined()
    expect(names()).toEqual(['b'])
    stream.event('DELETED', configMap('a', '12')).event('ADDED', configMap('a', '13', { uid: 'second' }))
    await clock.settle()
    expect(informer.get(key('a'))).toMatchObject({ metadata: { uid: 'second' } })
    expect(events.slice(2)).toEqual(['updated a 5→11', 'deleted a', 'added a'])
  })

  it('of a deletion hide an object that the watch has not shown at all yet', async () => {
    const stream = listed()
    const { clock, informer, names } = inform(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    informer.observeWrite(configMap('new', '11'))
    informer.observeDelete(key('new'), undefined)
    expect(informer.get(key('new'))).toBeUndefined()
    stream.event('ADDED', configMap('new', '11'))
    await clock.settle()
    expect(informer.get(key('new'))).toBeUndefined()
    expect(names()).toEqual(['a', 'b'])
  })

  it('of a deletion do not hide an object that is created again', async () => {
    const { clock, informer } = inform(new ScriptedApi().next(listed().answer()))
    await clock.settle()
    informer.observeDelete(key('a'), 'uid-a')
    informer.observeWrite(configMap('a', '14', { uid: 'second' }))
    expect(informer.get(key('a'))).toMatchObject({ metadata: { uid: 'second' } })
  })

  it('are dropped when a bookmark passes them, as for an object that left the selection', async () => {
    const stream = listed()
    const { clock, informer } = inform(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    informer.observeWrite(configMap('elsewhere', '11'))
    expect(informer.get(key('elsewhere'))).toBeDefined()
    stream.bookmark('20')
    await clock.settle()
    expect(informer.get(key('elsewhere'))).toBeUndefined()
  })

  it('made before the first list are seen with it, unless it is newer', async () => {
    const stream = new ScriptedStream()
    const { clock, informer } = inform(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    informer.observeWrite(configMap('a', '11', { data: { x: 'mine' } }))
    informer.observeWrite(configMap('b', '4'))
    stream.event('ADDED', configMap('a', '5')).bookmark('10', { listEnd: true })
    await clock.settle()
    expect(informer.get(key('a'))).toMatchObject({ data: { x: 'mine' } })
    expect(informer.get(key('b'))).toBeUndefined()
  })
})

describe('obstacles', () => {
  it('of a kind that is not served: reading rejects, waiting for a sync goes on', async () => {
    const api = new ScriptedApi().next(plain('404 page not found', 404)).next(listed().answer())
    const { clock, informer } = inform(api, { kind: Widget })
    const synced = informer.whenSynced()
    await clock.settle()
    await expect(informer.whenReadable()).rejects.toMatchObject({ code: 'API_KIND_NOT_SERVED' })
    expect(informer.problem).toMatchObject({ code: 'API_KIND_NOT_SERVED' })
    await clock.advance('1s')
    await synced
    await informer.whenReadable()
    expect(informer.problem).toBeUndefined()
  })

  it('of a kind that is no longer served: reading rejects, and no deletion is reported until a list shows it', async () => {
    const api = new ScriptedApi()
      .next(listed().event('MODIFIED', configMap('a', '12')).end().answer())
      .next(plain('404 page not found', 404))
      .next(new ScriptedStream().bookmark('30', { listEnd: true }).answer())
    const { clock, informer, events } = inform(api, { kind: Widget })
    await clock.settle()
    await expect(informer.whenReadable()).rejects.toMatchObject({ code: 'API_KIND_NOT_SERVED' })
    expect(events.slice(2)).toEqual(['updated a 5→12'])
    await clock.advance('1s')
    expect(events.slice(3).sort()).toEqual(['deleted a', 'deleted b'])
  })

  it('of a kind that is not served is not forgotten over another failure', async () => {
    const api = new ScriptedApi()
      .next(plain('404 page not found', 404))
      .next(failure(500, 'InternalError'))
      .otherwise(plain('404 page not found', 404))
    const { clock, informer } = inform(api, { kind: Widget })
    await clock.advance('10s')
    await expect(informer.whenReadable()).rejects.toMatchObject({ code: 'API_KIND_NOT_SERVED' })
  })

  it('of all namespaces can be read in each of them, however the namespaces are listed', async () => {
    const api = new ScriptedApi().otherwise(({ path }) =>
      path === '/api/v1/configmaps' ? listed().answer() : failure(403, 'Forbidden'),
    )
    for (const namespaces of [undefined, [''], ['', 'default'], ['default', '']]) {
      const { clock, informer } = inform(api, { namespaces })
      await clock.settle()
      expect(informer.isReadable('default')).toBe(true)
      await informer.whenReadable({ namespace: 'default' })
      await informer.whenReadable()
    }
    expect(new Set(api.requests.map(({ path }) => path))).toEqual(new Set(['/api/v1/configmaps']))
  })

  it('of some namespaces can be read in each that was listed, and as a whole when all were', async () => {
    const other = new ScriptedStream()
    const api = new ScriptedApi().otherwise(({ path }) =>
      (path.includes('other') ? other : listed()).answer(),
    )
    const { clock, informer } = inform(api, { namespaces: ['default', 'other'] })
    await clock.settle()
    await informer.whenReadable({ namespace: 'default' })
    expect(['default', 'other', undefined].map((name) => informer.isReadable(name))).toEqual([
      true,
      false,
      false,
    ])
    other.bookmark('11', { listEnd: true })
    await informer.whenReadable()
    expect(['default', 'other', undefined].every((name) => informer.isReadable(name))).toBe(true)
  })

  it('of no permission: reading rejects while there is no copy', async () => {
    const api = new ScriptedApi().next(failure(403, 'Forbidden')).next(listed().answer())
    const { clock, informer } = inform(api)
    await clock.settle()
    await expect(informer.whenReadable()).rejects.toMatchObject({ code: 'API_FORBIDDEN' })
    await clock.advance('2s')
    await informer.whenReadable()
  })

  it('of a server that is down: reading waits', async () => {
    const api = new ScriptedApi().next(failure(503, 'ServiceUnavailable')).next(listed().answer())
    const { clock, informer } = inform(api)
    const readable = informer.whenReadable()
    await clock.advance('2s')
    await expect(readable).resolves.toBeUndefined()
  })

  it('is not waited for after an abort', async () => {
    const { clock, informer } = inform(new ScriptedApi().next(new ScriptedStream().answer()))
    const abort = new AbortController()
    const outcome = Promise.allSettled([informer.whenSynced({ signal: abort.signal })])
    await clock.settle()
    abort.abort('enough')
    expect(await outcome).toMatchObject([{ reason: 'enough' }])
  })
})

describe('stopping', () => {
  it('frees everything and rejects callers that wait', async () => {
    const stream = new ScriptedStream().event('ADDED', configMap('a', '5'))
    const { clock, informer } = inform(new ScriptedApi().next(stream.answer()))
    const outcome = Promise.allSettled([informer.whenSynced()])
    await clock.settle()
    await informer.stop()
    expect(await outcome).toMatchObject([{ reason: { code: 'CACHE_STOPPED' } }])
    expect(clock.nextDue()).toBeUndefined()
  })

  it('of a synced one leaves no timer', async () => {
    const { clock, informer } = inform(new ScriptedApi().next(listed().bookmark('20').answer()))
    await clock.settle()
    await informer.stop()
    expect(clock.nextDue()).toBeUndefined()
    expect(informer.list()).toEqual([])
  })
})
