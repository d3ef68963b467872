import { SimulatedClock, type ApiHandler, type ApiRequest } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { json, ScriptedApi, ScriptedStream } from '../../test/scripted-api.ts'
import { directTransport } from './direct-transport.ts'
import { readBody } from './read-body.ts'

function get(rest: Partial<ApiRequest> = {}): ApiRequest {
  return { method: 'GET', path: '/api/v1/pods', query: new URLSearchParams(), headers: {}, ...rest }
}

const watching = { query: new URLSearchParams({ watch: 'true' }) }

describe('a direct transport', () => {
  it('passes a copy of the request to the handler and returns its answer', async () => {
    const api = new ScriptedApi().next(json({ ok: true }))
    const clock = new SimulatedClock()
    const transport = directTransport(api.handler, {
      clock,
      headers: { authorization: 'Bearer x' },
    })
    const body = new TextEncoder().encode('{}')
    const response = await transport.send(get({ method: 'POST', body }))
    expect(JSON.parse(new TextDecoder().decode(await readBody(response)))).toEqual({ ok: true })
    expect(api.requests[0]!.body).toEqual(body)
    expect(api.requests[0]!.body!.buffer).not.toBe(body.buffer)
    expect(api.requests[0]!.headers).toMatchObject({ authorization: 'Bearer x' })
  })

  it('does not block the event loop for a caller that never pauses', async () => {
    const transport = directTransport(async () => json({}), { clock: new SimulatedClock() })
    let turns = 0
    setImmediate(() => turns++)
    for (let request = 0; request < 64; request++) await transport.send(get())
    expect(turns).toBe(1)
  })

  it('is work under way until a request is answered', async () => {
    const clock = new SimulatedClock()
    const answer = Promise.withResolvers<void>()
    const handler: ApiHandler = async () => {
      await answer.promise
      return json({})
    }
    const sent = directTransport(handler, { clock }).send(get())
    let settled = false
    const settling = clock.settle().then(() => (settled = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(settled).toBe(false)
    answer.resolve()
    await sent
    await settling
  })

  it('is not work under way while a watch is open and silent', async () => {
    const clock = new SimulatedClock()
    const stream = new ScriptedStream()
    const transport = directTransport(new ScriptedApi().next(stream.answer()).handler, { clock })
    await transport.send(get(watching))
    await expect(clock.settle()).resolves.toBeUndefined()
  })

  it('is work under way until a body that has an end was read', async () => {
    const clock = new SimulatedClock()
    const stream = new ScriptedStream().text('log')
    const transport = directTransport(new ScriptedApi().next(stream.answer()).handler, { clock })
    const response = await transport.send(get())
    let settled = false
    const settling = clock.settle().then(() => (settled = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(settled).toBe(false)
    stream.end()
    expect(new TextDecoder().decode(await readBody(response))).toBe('log')
    await settling
  })

  it('rejects with the reason of an abort, even when the handler hangs', async () => {
    const clock = new SimulatedClock()
    const abort = new AbortController()
    const transport = directTransport(() => new Promise(() => {}), { clock })
    const answer = transport.send(get({ signal: abort.signal }))
    abort.abort('enough')
    await expect(answer).rejects.toBe('enough')
    await clock.settle()
  })

  it("ends a body on abort, and aborts the handler's signal", async () => {
    const stream = new ScriptedStream().text('one')
    const api = new ScriptedApi().next(stream.answer())
    const abort = new AbortController()
    const transport = directTransport(api.handler, { clock: new SimulatedClock() })
    const response = await transport.send(get({ ...watching, signal: abort.signal }))
    const chunks = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await chunks.next()
    const next = chunks.next()
    abort.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    expect(api.requests[0]!.signal!.aborted).toBe(true)
  })

  it('never returns an incomplete body as a complete one when aborted', async () => {
    const stream = new ScriptedStream().text('{"half":')
    const abort = new AbortController()
    const transport = directTransport(new ScriptedApi().next(stream.answer()).handler, {
      clock: new SimulatedClock(),
    })
    const response = await transport.send(get({ signal: abort.signal }))
    const reading = readBody(response, { signal: abort.signal })
    abort.abort('enough')
    await expect(reading).rejects.toBe('enough')
  })

  it('ends everything when it closes, and refuses later requests', async () => {
    const clock = new SimulatedClock()
    const stream = new ScriptedStream()
    const transport = directTransport(new ScriptedApi().next(stream.answer()).handler, { clock })
    const response = await transport.send(get(watching))
    const reading = readBody(response)
    const outcome = Promise.allSettled([reading])
    await transport.close()
    expect(await outcome).toMatchObject([{ reason: { code: 'TRANSPORT_CLOSED' } }])
    await expect(transport.send(get())).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
    await clock.settle()
  })

  it('closing between two reads fails the next read', async () => {
    const stream = new ScriptedStream().text('one')
    const transport = directTransport(new ScriptedApi().next(stream.answer()).handler, {
      clock: new SimulatedClock(),
    })
    const response = await transport.send(get(watching))
    const chunks = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await chunks.next()
    await transport.close()
    await expect(chunks.next()).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
    expect(await chunks.next()).toMatchObject({ done: true })
  })
})
