import { SimulatedClock, ValueBytes } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { configMap, plain, ScriptedApi, ScriptedStream } from '../../test/scripted-api.ts'
import { listedStream, watch } from '../../test/watched-kind.ts'
import { directTransport } from '../transport/direct-transport.ts'

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

  it('are requested by namespace and selectors', async () => {
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

describe('changes with their values, from a server in this process', () => {
  const line = (type: string, object: object): Uint8Array =>
    new TextEncoder().encode(`${JSON.stringify({ type, object })}\n`)

  /** A chunk that the server gives with its values. */
  function shared(object: ReturnType<typeof configMap>): ValueBytes {
    const kept = { value: Object.freeze(object), json: new Uint8Array(1) }
    return ValueBytes.encodingEvents(line('ADDED', object), [{ type: 'ADDED', kept }])
  }

  it('are not parsed, and a caller gets its own copy', async () => {
    const stream = listedStream()
    const { clock, told, deltas } = watch(new ScriptedApi().next(stream.answer()))
    const object = configMap('b', '11', { data: { text: 'x' } })
    const chunk = shared(object)
    chunk.fill(0)
    stream.bytes(chunk)
    stream.bytes(line('MODIFIED', configMap('b', '12')))
    await clock.settle()
    expect(told()).toEqual(['listed a @10', 'added b @11', 'modified b @12'])
    expect(deltas[1]).toMatchObject({ object: { data: { text: 'x' } } })
    expect(deltas[1]).not.toHaveProperty('object', expect.toSatisfy(Object.isFrozen))
  })

  it('are parsed where the line before them is not complete', async () => {
    const stream = listedStream()
    const { clock, told } = watch(new ScriptedApi().next(stream.answer()))
    const first = line('ADDED', configMap('b', '11'))
    stream.bytes(first.subarray(0, 20))
    stream.bytes(ValueBytes.encodingEvents(first.subarray(20), []))
    stream.bytes(shared(configMap('c', '12')))
    await clock.settle()
    expect(told()).toEqual(['listed a @10', 'added b @11', 'added c @12'])
  })
})

describe('a stream that ends', () => {
  it('W4: is resumed at once from the last event, without listing', async () => {
    const first = listedStream().event('MODIFIED', configMap('a', '12')).end()
    const second = new ScriptedStream().event('ADDED', configMap('b', '13'))
    const api = new ScriptedApi().next(first.answer()).next(second.answer())
    const { clock, told } = watch(api)
    await clock.settle()
    expect(told()).toEqual(['listed a @10', 'modified a @12', 'added b @13'])
    expect(api.last()).toMatch(/&resourceVersion=12$/)
  })

  it('W4: is resumed from a bookmark after the last event', async () => {
    const api = new ScriptedApi()
      .next(listedStream().event('MODIFIED', configMap('a', '12')).bookmark('99').end().answer())
      .next(new ScriptedStream().answer())
    const { clock, told } = watch(api)
    await clock.settle()
    expect(told()).toEqual(['listed a @10', 'modified a @12', 'bookmark @99'])
    expect(api.last()).toMatch(/&resourceVersion=99$/)
  })

  it('W4, W6: is resumed after a pause when it broke', async () => {
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

  it('W6: is not resumed before the time that a busy server names in a header', async () => {
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

  it('W6: at once and without any event is a failure, so that it cannot spin', async () => {
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
    'W10: within a line, or with a line that is not JSON, is a broken one: %j',
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

describe('time', () => {
  it('W7: each stream asks the server to end it after a random time of 5 to 10 minutes', async () => {
    const api = new ScriptedApi().otherwise(() => listedStream().fail(new Error('reset')).answer())
    const { clock } = watch(api)
    await clock.advance('2m')
    const asked = api.requests.map((request) => Number(request.query.get('timeoutSeconds')))
    expect(new Set(asked).size).toBeGreaterThan(2)
    expect(asked.every((seconds) => seconds >= 300 && seconds < 600)).toBe(true)
  })

  it('W7: a stream that the server does not end is abandoned 30 s later and opened again', async () => {
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

  it('W8: a stream that sends nothing for 70 s after a bookmark is resumed', async () => {
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

  it('W8: any line resets the time without data', async () => {
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
