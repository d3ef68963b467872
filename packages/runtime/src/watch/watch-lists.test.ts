import { SimulatedClock, type ApiRequest } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import {
  configMap,
  failure,
  failureStatus,
  plain,
  ScriptedApi,
  ScriptedStream,
} from '../../test/scripted-api.ts'
import { listOf, listedStream, watch } from '../../test/watched-kind.ts'
import { createLogger } from '../telemetry/create-logger.ts'

describe('the first list, in one answer', () => {
  it('W3: is requested without a limit and decompressed, and the watch continues from its version', async () => {
    const api = new ScriptedApi()
      .next(listOf([configMap('a', '5'), configMap('b', '7')], '10'))
      .next(new ScriptedStream().event('MODIFIED', configMap('a', '11')).answer())
    const { clock, told } = watch(api, { firstList: 'list', labels: { app: 'web' } })
    await clock.settle()
    expect(api.requests[0]!.headers).toMatchObject({
      accept: 'application/json',
      'accept-encoding': 'identity',
    })
    expect(api.described()).toEqual([
      'GET /api/v1/configmaps?labelSelector=app%3Dweb',
      expect.stringMatching(/watch=true.*&resourceVersion=10$/),
    ])
    expect(told()).toEqual(['listed a b @10', 'modified a @11'])
  })

  it('W1: adds the kind to objects, which the list of a native kind leaves out', async () => {
    const { apiVersion: _apiVersion, kind: _kind, ...item } = configMap('a', '5')
    const api = new ScriptedApi().next(listOf([item], '10')).next(new ScriptedStream().answer())
    const { clock, deltas } = watch(api, { firstList: 'list' })
    await clock.settle()
    expect(deltas[0]).toMatchObject({
      objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }],
    })
  })

  it('W3: comes on the watch itself once an answer has broken off, and from then on', async () => {
    const broken = new ScriptedStream().text('{"metadata":{"resourceVersion":"9"},"items":[{"metadata":{')
    const api = new ScriptedApi()
      .next(broken.fail(new Error('connection reset')).answer())
      .next(listedStream().event('ERROR', failureStatus(410, 'Expired')).answer())
      .next(listedStream().answer())
    const { clock, told, deltas } = watch(api, { firstList: 'list' })
    await clock.advance('10s')
    expect(told()).toEqual(['failed', 'listed a @10', 'failed', 'listed a @10'])
    expect(deltas[0]).toMatchObject({
      error: { code: 'LIST_BROKEN_OFF', message: expect.stringContaining('the list of configmaps') },
    })
    expect(api.described().map((request) => request.includes('sendInitialEvents'))).toEqual([
      false,
      true,
      true,
    ])
  })

  it('W3: is requested as before where the server could not be reached, or was busy', async () => {
    const api = new ScriptedApi()
      .next(() => Promise.reject(new Error('refused')))
      .next(failure(429, 'TooManyRequests', undefined, { 'retry-after': '3' }))
      .next(listOf([configMap('a', '5')], '10'))
      .next(new ScriptedStream().answer())
    const { clock, told } = watch(api, { firstList: 'list' })
    await clock.advance('20s')
    expect(told()).toEqual(['failed', 'failed', 'listed a @10'])
  })

  it('W9: waits for a kind that is not served', async () => {
    const api = new ScriptedApi()
      .next(plain('404 page not found', 404))
      .next(listOf([], '10'))
      .next(new ScriptedStream().answer())
    const { clock, told } = watch(api, { firstList: 'list' })
    await clock.advance('2s')
    expect(told()).toEqual(['missing', 'listed  @10'])
  })

  it('W11: ends in the middle when it is aborted', async () => {
    const stream = new ScriptedStream().text('{"metadata":{"resourceVersion":"9"},"items":[')
    const abort = new AbortController()
    const api = new ScriptedApi().next(() => {
      abort.abort()
      return stream.answer()
    })
    const { told, done } = watch(api, { firstList: 'list', signal: abort.signal })
    await done
    expect(told()).toEqual([])
  })
})

describe('the first list, on the watch itself', () => {
  it('W1: comes on the watch itself, as one delta', async () => {
    const stream = new ScriptedStream()
    const api = new ScriptedApi().next(stream.answer())
    const { clock, told } = watch(api)
    await clock.settle()
    expect(api.last()).toMatch(
      /^GET \/api\/v1\/configmaps\?watch=true&allowWatchBookmarks=true&timeoutSeconds=\d+&sendInitialEvents=true&resourceVersionMatch=NotOlderThan$/,
    )
    stream.event('ADDED', configMap('a', '5')).event('ADDED', configMap('b', '7'))
    await clock.settle()
    expect(told()).toEqual([])
    stream.bookmark('10', { listEnd: true })
    await clock.settle()
    expect(told()).toEqual(['listed a b @10'])
  })

  it('W1: is empty where there are no objects', async () => {
    const api = new ScriptedApi().next(new ScriptedStream().bookmark('3', { listEnd: true }).answer())
    const { clock, told } = watch(api)
    await clock.settle()
    expect(told()).toEqual(['listed  @3'])
  })

  it('W1: includes changes that happen while it is being sent', async () => {
    const stream = new ScriptedStream()
      .event('ADDED', configMap('a', '5'))
      .event('ADDED', configMap('b', '6'))
      .event('MODIFIED', configMap('a', '11'))
      .event('DELETED', configMap('b', '12'))
      .bookmark('12', { listEnd: true })
    const { clock, told, deltas } = watch(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    expect(told()).toEqual(['listed a @12'])
    expect(deltas[0]).toMatchObject({ objects: [{ metadata: { resourceVersion: '11' } }] })
  })

  it('W3: comes in pages where the server refuses to send it in a watch, and this is not asked again', async () => {
    const stream = new ScriptedStream()
    const api = new ScriptedApi()
      .next(failure(422, 'Invalid'))
      .next(listOf([configMap('a', '5')], '10', 'more'))
      .next(listOf([configMap('b', '6')], '10'))
      .next(stream.answer())
      .next(failure(410, 'Expired'))
      .next(listOf([configMap('b', '6')], '20'))
      .otherwise(() => new ScriptedStream().answer())
    const { clock, told } = watch(api)
    await clock.settle()
    expect(told()).toEqual(['listed a b @10'])
    expect(api.described().slice(1, 4)).toEqual([
      'GET /api/v1/configmaps?limit=500',
      'GET /api/v1/configmaps?limit=500&continue=more',
      expect.stringMatching(/watch=true.*&resourceVersion=10$/),
    ])
    stream.event('MODIFIED', configMap('a', '11')).end()
    await clock.settle()
    expect(told().slice(1)).toEqual(['modified a @11', 'listed b @20'])
    expect(api.described().filter((request) => request.includes('sendInitialEvents'))).toHaveLength(1)
  })

  it('W3: comes in pages where the server begins one in a watch and never ends it', async () => {
    const stream = new ScriptedStream().event('ADDED', configMap('a', '5'))
    const api = new ScriptedApi()
      .next(stream.answer())
      .next(listOf([configMap('a', '5')], '10'))
      .otherwise(() => new ScriptedStream().answer())
    const { clock, told } = watch(api)
    await clock.advance('29s')
    expect(told()).toEqual([])
    await clock.advance('1s')
    expect(told()).toEqual(['listed a @10'])
  })

  it('W1: starts over when its stream breaks off', async () => {
    const api = new ScriptedApi()
      .next(new ScriptedStream().event('ADDED', configMap('a', '5')).fail(new Error('reset')).answer())
      .next(
        new ScriptedStream().event('ADDED', configMap('b', '6')).bookmark('10', { listEnd: true }).answer(),
      )
    const { clock, told } = watch(api)
    await clock.advance('2s')
    expect(told()).toEqual(['failed', 'listed b @10'])
  })

  it('asks again in one piece when the pages expire half-way', async () => {
    const api = new ScriptedApi()
      .next(failure(400, 'BadRequest'))
      .next(listOf([configMap('a', '5')], '10', 'more'))
      .next(failure(410, 'Expired'))
      .next(listOf([configMap('a', '5'), configMap('b', '6')], '30'))
      .otherwise(() => new ScriptedStream().answer())
    const { clock, told } = watch(api)
    await clock.settle()
    expect(told()).toEqual(['listed a b @30'])
    expect(api.described()[3]).toBe('GET /api/v1/configmaps')
  })

  it('adds the kind to the items of a native list, which leaves it out', async () => {
    const { apiVersion: _, kind: __, ...bare } = configMap('a', '5')
    const api = new ScriptedApi()
      .next(failure(400, 'BadRequest'))
      .next(listOf([bare], '10'))
      .otherwise(() => new ScriptedStream().answer())
    const { clock, deltas } = watch(api)
    await clock.settle()
    expect(deltas[0]).toMatchObject({ objects: [{ apiVersion: 'v1', kind: 'ConfigMap' }] })
  })
})

describe('an expired version', () => {
  it('W5: reported by a status causes a new list', async () => {
    const api = new ScriptedApi()
      .next(listedStream().event('MODIFIED', configMap('a', '12')).end().answer())
      .next(failure(410, 'Expired'))
      .next(
        new ScriptedStream().event('ADDED', configMap('c', '50')).bookmark('60', { listEnd: true }).answer(),
      )
    const { clock, told } = watch(api)
    await clock.settle()
    expect(told()).toEqual(['listed a @10', 'modified a @12', 'listed c @60'])
  })

  it.each(['Expired', 'Gone'])(
    'W5: reported by an event with reason %s causes a new list',
    async (reason) => {
      const stream = listedStream()
      const api = new ScriptedApi()
        .next(
          stream.event('MODIFIED', configMap('a', '12')).event('ERROR', failureStatus(410, reason)).answer(),
        )
        .next(new ScriptedStream().bookmark('60', { listEnd: true }).answer())
      const { clock, told } = watch(api)
      await clock.settle()
      expect(told()).toEqual(['listed a @10', 'modified a @12', 'listed  @60'])
      expect(stream.closed).toBe(true)
    },
  )

  const expired = failureStatus(410, 'Expired')

  it.each([
    ['by an event right after the list', () => listedStream().event('ERROR', expired).answer()],
    [
      'by an event after others',
      () => listedStream().event('MODIFIED', configMap('a', '12')).event('ERROR', expired).answer(),
    ],
    [
      'by a status',
      (request: ApiRequest) =>
        request.query.has('resourceVersion') ? failure(410, 'Expired') : listedStream().end().answer(),
    ],
  ])('W5: after repeated %s waits up to 30 s before each list, and reports it', async (_, answer) => {
    const times: number[] = []
    const clock = new SimulatedClock()
    const api = new ScriptedApi().otherwise((request) => {
      if (!request.query.has('resourceVersion')) times.push(clock.monotonic())
      return answer(request)
    })
    const lines: string[] = []
    const logger = createLogger({ format: 'text', clock, write: (line) => lines.push(line) })
    const { told } = watch(api, { clock, logger })
    await clock.advance('10m')
    const pauses = times.slice(1).map((time, index) => time - times[index]!)
    expect(pauses.length).toBeLessThan(30)
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(30_000)
    const warnings = lines.filter((line) => line.includes('waiting before listing again'))
    expect(warnings.length).toBeGreaterThanOrEqual(pauses.length - 1)
    expect(warnings[0]).toContain('WARN')
    expect(told().filter((delta) => delta === 'failed').length).toBeGreaterThanOrEqual(warnings.length)
  })

  it('W5: lists at once again after a stream that lasted for ten seconds', async () => {
    const stream = listedStream()
    const api = new ScriptedApi()
      .next(listedStream().event('ERROR', expired).answer())
      .next(stream.answer())
      .next(listedStream().answer())
    const { clock, told } = watch(api)
    await clock.advance('20s')
    stream.event('MODIFIED', configMap('a', '12')).event('ERROR', expired)
    await clock.settle()
    expect(told()).toEqual(['listed a @10', 'failed', 'listed a @10', 'modified a @12', 'listed a @10'])
  })
})
