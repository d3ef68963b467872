import { SimulatedClock, type ApiRequest } from '@homeostat/api'
import { afterEach, describe, expect, it } from 'vitest'
import {
  configMap,
  ConfigMap,
  failure,
  failureStatus,
  json,
  plain,
  ScriptedApi,
  ScriptedStream,
  Widget,
} from '../../test/scripted-api.ts'
import { createLogger } from '../telemetry/create-logger.ts'
import { directTransport } from '../transport/direct-transport.ts'
import type { Delta } from './delta.ts'
import { watchKind, type WatchKindOptions } from './watch-kind.ts'

const running: AbortController[] = []
afterEach(() => {
  for (const abort of running.splice(0)) abort.abort()
})

function watch(api: ScriptedApi, options: Partial<WatchKindOptions> = {}) {
  const clock = new SimulatedClock()
  const abort = new AbortController()
  running.push(abort)
  const deltas: Delta[] = []
  // A server over a network, unless a test says otherwise.
  const transport = directTransport(api.handler, { clock, inProcess: false })
  const done = (async () => {
    for await (const delta of watchKind({
      transport,
      kind: ConfigMap,
      clock,
      signal: abort.signal,
      firstList: 'watch-list',
      ...options,
    })) {
      deltas.push(delta)
    }
  })()
  const told = (): string[] => deltas.map(describeDelta)
  return { clock, abort, deltas, told, done }
}

function describeDelta(delta: Delta): string {
  switch (delta.type) {
    case 'listed':
      return `listed ${delta.objects.map((object) => object.metadata.name).join(' ')} @${delta.resourceVersion}`
    case 'bookmark':
      return `bookmark @${delta.resourceVersion}`
    case 'missing':
    case 'failed':
      return delta.type
    default:
      return `${delta.type} ${delta.object.metadata.name} @${delta.object.metadata.resourceVersion}`
  }
}

function listOf(objects: object[], resourceVersion: string, next?: string) {
  return json({
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion, continue: next },
    items: objects,
  })
}

/** A stream that has listed one object, `a`, at version 10. */
function listedStream(): ScriptedStream {
  return new ScriptedStream().event('ADDED', configMap('a', '5')).bookmark('10', { listEnd: true })
}

describe('the first list, in one answer', () => {
  it('W3: is asked for without a limit and unpacked, and the watch goes on from its version', async () => {
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

  it('W1: says of what kind its objects are, as a list of a native kind leaves out', async () => {
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

  it('W3: is asked for as before where the server was not there, or was busy', async () => {
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

  it('W1: takes in what changes while it is being sent', async () => {
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

  it('says what the items of a native list do not say: their kind', async () => {
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

describe('changes', () => {
  it('W2: come in the order of the server', async () => {
    const stream = listedStream()
      .event('ADDED', configMap('b', '11'))
      .event('MODIFIED', configMap('a', '12'))
      .event('DELETED', configMap('b', '13'))
    const { clock, told } = watch(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    expect(told()).toEqual(['listed a @10', 'added b @11', 'modified a @12', 'deleted b @13'])
  })

  it('are asked for by namespace and selectors', async () => {
    const api = new ScriptedApi().next(new ScriptedStream().answer())
    const { clock } = watch(api, { namespace: 'one', labels: { app: 'web' }, fields: 'metadata.name=x' })
    await clock.settle()
    expect(api.last()).toContain('/api/v1/namespaces/one/configmaps?')
    expect(api.requests[0]!.query.get('labelSelector')).toBe('app=web')
    expect(api.requests[0]!.query.get('fieldSelector')).toBe('metadata.name=x')
  })

  it('W10: are understood wherever the bytes are cut', async () => {
    const stream = listedStream()
    const { clock, told, deltas } = watch(new ScriptedApi().next(stream.answer()))
    const object = configMap('b', '11', { data: { text: 'grüße 🌍' } })
    for (const byte of new TextEncoder().encode(`${JSON.stringify({ type: 'ADDED', object })}\n`)) {
      stream.bytes(Uint8Array.of(byte))
    }
    await clock.settle()
    expect(told()).toEqual(['listed a @10', 'added b @11'])
    expect(deltas[1]).toMatchObject({ object: { data: { text: 'grüße 🌍' } } })
  })
})

describe('a stream that ends', () => {
  it('W4: is taken up again at once from the last event, without listing', async () => {
    const first = listedStream().event('MODIFIED', configMap('a', '12')).end()
    const second = new ScriptedStream().event('ADDED', configMap('b', '13'))
    const api = new ScriptedApi().next(first.answer()).next(second.answer())
    const { clock, told } = watch(api)
    await clock.settle()
    expect(told()).toEqual(['listed a @10', 'modified a @12', 'added b @13'])
    expect(api.last()).toMatch(/&resourceVersion=12$/)
  })

  it('W4: is taken up from a bookmark that came after the last event', async () => {
    const api = new ScriptedApi()
      .next(listedStream().event('MODIFIED', configMap('a', '12')).bookmark('99').end().answer())
      .next(new ScriptedStream().answer())
    const { clock, told } = watch(api)
    await clock.settle()
    expect(told()).toEqual(['listed a @10', 'modified a @12', 'bookmark @99'])
    expect(api.last()).toMatch(/&resourceVersion=99$/)
  })

  it('W4, W6: is taken up after a pause when it broke', async () => {
    const api = new ScriptedApi()
      .next(listedStream().fail(new Error('reset')).answer())
      .next(new ScriptedStream().event('ADDED', configMap('b', '13')).answer())
    const { clock, told } = watch(api)
    await clock.advance('799ms')
    expect(told()).toEqual(['listed a @10', 'failed'])
    await clock.advance('801ms')
    expect(told()).toEqual(['listed a @10', 'failed', 'added b @13'])
    expect(api.last()).toMatch(/&resourceVersion=10$/)
  })

  it('W6: is not taken up before the time that a busy server names in a header', async () => {
    const busy = {
      ...plain('Too many requests, please try again later.', 429),
      headers: { 'retry-after': '7' },
    }
    const api = new ScriptedApi().next(busy).next(listedStream().answer())
    const { clock, told } = watch(api)
    await clock.advance('6999ms')
    expect(told()).toEqual(['failed'])
    await clock.advance('1ms')
    expect(told()).toEqual(['failed', 'listed a @10'])
  })

  it('W6: at once and without a word is a failure, so that it cannot spin', async () => {
    const api = new ScriptedApi()
      .next(listedStream().end().answer())
      .otherwise(() => new ScriptedStream().end().answer())
    const { clock } = watch(api)
    await clock.advance('60s')
    expect(api.requests.length).toBeLessThan(9)
  })

  it.each([
    ['ended', (stream: ScriptedStream) => stream.end()],
    ['broken', (stream: ScriptedStream) => stream.fail(new Error('reset'))],
  ])('W6: soon after a line, again and again, is a failure as well: %s', async (_, finish) => {
    let version = 20
    const api = new ScriptedApi()
      .next(listedStream().end().answer())
      .otherwise(() => finish(new ScriptedStream().bookmark(String(version++))).answer())
    const { clock, told } = watch(api)
    await clock.advance('10m')
    expect(api.requests.length).toBeLessThan(30)
    expect(told().filter((delta) => delta === 'failed').length).toBeGreaterThan(10)
  })

  it.each(['{"type":"ADDED","object":{"metadata":{"name":"b"', 'no json at all\n'])(
    'W10: within a line, or with a line that is no JSON, is a broken one: %j',
    async (text) => {
      const api = new ScriptedApi()
        .next(listedStream().text(text).end().answer())
        .next(new ScriptedStream().event('ADDED', configMap('b', '13')).answer())
      const { clock, told, deltas } = watch(api)
      await clock.advance('2s')
      expect(told()).toEqual(['listed a @10', 'failed', 'added b @13'])
      expect(deltas[1]).toMatchObject({ error: { code: 'WATCH_LINE_INVALID' } })
    },
  )

  it('W10: with a whole last line that lacks its line break loses nothing', async () => {
    const line = JSON.stringify({ type: 'ADDED', object: configMap('b', '13') })
    const api = new ScriptedApi()
      .next(listedStream().text(line).end().answer())
      .next(new ScriptedStream().answer())
    const { clock, told } = watch(api)
    await clock.settle()
    expect(told()).toEqual(['listed a @10', 'added b @13'])
    expect(api.last()).toMatch(/&resourceVersion=13$/)
  })
})

describe('an expired version', () => {
  it('W5: told by a status means a new list', async () => {
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

  it.each(['Expired', 'Gone'])('W5: told by an event with reason %s means a new list', async (reason) => {
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
  })

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
  ])('W5: told again and again %s waits up to 30 s before each list, and says so', async (_, answer) => {
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

  it('W5: lists at once again after a stream that stood for ten seconds', async () => {
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

describe('time', () => {
  it('W7: each stream asks the server to end it after 5 to 10 minutes, by chance', async () => {
    const api = new ScriptedApi().otherwise(() => listedStream().fail(new Error('reset')).answer())
    const { clock } = watch(api)
    await clock.advance('2m')
    const asked = api.requests.map((request) => Number(request.query.get('timeoutSeconds')))
    expect(new Set(asked).size).toBeGreaterThan(2)
    expect(asked.every((seconds) => seconds >= 300 && seconds < 600)).toBe(true)
  })

  it('W7: one that the server does not end is given up 30 s later and taken up again', async () => {
    const stream = listedStream()
    const api = new ScriptedApi().next(stream.answer()).next(new ScriptedStream().answer())
    const { clock, told } = watch(api)
    await clock.settle()
    const seconds = Number(api.requests[0]!.query.get('timeoutSeconds'))
    await clock.advance((seconds + 30) * 1_000 - 1)
    expect(api.requests).toHaveLength(1)
    await clock.advance(1)
    expect(api.last()).toMatch(/&resourceVersion=10$/)
    expect(told()).toEqual(['listed a @10'])
    stream.event('ADDED', configMap('late', '99'))
    await clock.settle()
    expect(told()).toEqual(['listed a @10'])
  })

  it('W8: 70 s of silence after a bookmark is death', async () => {
    const stream = listedStream().bookmark('20')
    const api = new ScriptedApi().next(stream.answer()).next(new ScriptedStream().answer())
    const { clock } = watch(api)
    await clock.advance('60s')
    stream.bookmark('21')
    await clock.advance('69999ms')
    expect(api.requests).toHaveLength(1)
    await clock.advance('1ms')
    expect(api.last()).toMatch(/&resourceVersion=21$/)
  })

  it('W7, W8: a stream within the process lasts a day, and may be silent', async () => {
    const stream = listedStream().bookmark('20')
    const api = new ScriptedApi().next(stream.answer())
    const clock = new SimulatedClock()
    const { told } = watch(api, { clock, transport: directTransport(api.handler, { clock }) })
    await clock.advance('23h')
    stream.event('MODIFIED', configMap('a', '21'))
    await clock.settle()
    expect(api.requests).toHaveLength(1)
    expect(api.requests[0]!.inProcess).toBe(true)
    expect(Number(api.requests[0]!.query.get('timeoutSeconds'))).toBeGreaterThanOrEqual(86_400)
    expect(told().at(-1)).toBe('modified a @21')
  })

  it('W8: any line counts as a sign of life', async () => {
    const stream = listedStream().bookmark('20')
    const api = new ScriptedApi().next(stream.answer())
    const { clock } = watch(api)
    for (let version = 21; version < 26; version++) {
      await clock.advance('50s')
      stream.event('MODIFIED', configMap('a', String(version)))
    }
    await clock.settle()
    expect(api.requests).toHaveLength(1)
  })

  it('W8: a stream without bookmarks may be silent for as long as it was asked for', async () => {
    const api = new ScriptedApi().next(listedStream().event('MODIFIED', configMap('a', '12')).answer())
    const { clock } = watch(api)
    await clock.advance('299s')
    expect(api.requests).toHaveLength(1)
  })
})

describe('a kind that is not served', () => {
  it('W9: is told once, asked for every second, and listed when it appears', async () => {
    const api = new ScriptedApi().otherwise(plain('404 page not found', 404))
    const { clock, told } = watch(api, { kind: Widget })
    await clock.advance('5s')
    expect(told()).toEqual(['missing'])
    expect(api.requests).toHaveLength(6)
    api.next(listedStream().answer())
    await clock.advance('1s')
    expect(told()).toEqual(['missing', 'listed a @10'])
  })

  it('W9: is waited for when it vanishes later, and then listed again', async () => {
    const api = new ScriptedApi()
      .next(listedStream().event('MODIFIED', configMap('a', '12')).end().answer())
      .next(failure(404, 'NotFound', {}))
      .next(listedStream().answer())
    const { clock, told } = watch(api, { kind: Widget })
    await clock.advance('1s')
    expect(told()).toEqual(['listed a @10', 'modified a @12', 'missing', 'listed a @10'])
  })
})

describe('failures', () => {
  it('W12: of permission are told and tried again, with the rule that is missing', async () => {
    const forbidden = failure(
      403,
      'Forbidden',
      { kind: 'configmaps' },
      {},
      'configmaps is forbidden: User "x" cannot watch',
    )
    const api = new ScriptedApi().next(forbidden).next(forbidden).next(listedStream().answer())
    const { clock, told, deltas } = watch(api)
    await clock.advance('10s')
    expect(told()).toEqual(['failed', 'failed', 'listed a @10'])
    expect(deltas[0]).toMatchObject({
      error: { code: 'API_FORBIDDEN', message: expect.stringContaining('Grant watch on configmaps') },
    })
  })

  it('W6: are followed by 800 ms, doubled up to 30 s, and by chance up to as much again', async () => {
    const times: number[] = []
    const clock = new SimulatedClock()
    const api = new ScriptedApi().otherwise(() => {
      times.push(clock.monotonic())
      return failure(500, 'InternalError')
    })
    watch(api, { clock })
    await clock.advance('5m')
    const pauses = times.slice(1).map((time, index) => time - times[index]!)
    for (const [index, pause] of pauses.entries()) {
      const base = Math.min(800 * 2 ** index, 30_000)
      expect(pause).toBeGreaterThanOrEqual(base)
      expect(pause).toBeLessThan(2 * base)
    }
    expect(pauses.length).toBeGreaterThan(8)
  })

  it('W6: start from 800 ms again once a stream stood for ten seconds', async () => {
    for (const [stood, requests] of [
      ['9s', 6],
      ['10s', 7],
    ] as const) {
      const api = new ScriptedApi()
      for (let i = 0; i < 5; i++) api.next(failure(500, 'InternalError'))
      const stream = listedStream()
      api.next(stream.answer()).next(new ScriptedStream().answer())
      const { clock, told } = watch(api)
      while (!told().includes('listed a @10')) await clock.advance('100ms')
      await clock.advance(stood)
      stream.fail(new Error('reset'))
      await clock.advance('2s')
      expect(api.requests).toHaveLength(requests)
    }
  })

  it('W6: keep to a longer wait that the server asks for', async () => {
    const api = new ScriptedApi()
      .next(failure(429, 'TooManyRequests', { retryAfterSeconds: 20 }))
      .next(listedStream().answer())
    const { clock, told } = watch(api)
    await clock.advance('19s')
    expect(told()).toEqual(['failed'])
    await clock.advance('1s')
    expect(told()).toEqual(['failed', 'listed a @10'])
  })

  it.each([
    [1e9, '10m'],
    ['soon', '801ms'],
    [-1, '801ms'],
  ] as const)('W6: do not keep to a wait that never ends: %j', async (retryAfterSeconds, wait) => {
    const api = new ScriptedApi()
      .next(failure(429, 'TooManyRequests', { retryAfterSeconds }))
      .next(listedStream().answer())
    const { clock, told } = watch(api)
    await clock.advance('799ms')
    expect(told()).toEqual(['failed'])
    await clock.advance(wait)
    expect(told()).toEqual(['failed', 'listed a @10'])
  })
})

describe('abort', () => {
  it('W11: while a stream is open ends it without an error and closes the stream', async () => {
    const stream = listedStream().bookmark('20')
    const { clock, abort, done } = watch(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    abort.abort()
    await done
    expect(clock.nextDue()).toBeUndefined()
    stream.text('x')
    await clock.settle()
    expect(stream.closed).toBe(true)
  })

  it('W11: while it waits after a failure ends it and its timer', async () => {
    const { clock, abort, done } = watch(new ScriptedApi().next(failure(500, 'InternalError')))
    await clock.settle()
    abort.abort()
    await done
    expect(clock.nextDue()).toBeUndefined()
  })

  it('W11: while a request is under way ends it', async () => {
    const clock = new SimulatedClock()
    const { abort, done } = watch(
      new ScriptedApi().next(() => new Promise(() => {})),
      { clock },
    )
    abort.abort()
    await done
    expect(clock.nextDue()).toBeUndefined()
  })

  it('W11: before the start asks for nothing', async () => {
    const api = new ScriptedApi()
    const aborted = AbortSignal.abort()
    const { done } = watch(api, { signal: aborted })
    await done
    expect(api.requests).toEqual([])
  })
})
