import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { SimulatedClock, SystemClock } from '@homeostat/api'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as certificates from '../../test/certificates.ts'
import { asking, get, serve, text, transportTo, WAYS } from '../../test/network.ts'
import { readBody } from '../transport/read-body.ts'

describe('a request', () => {
  it('arrives with its path, query, headers and body, and its answer comes back', async () => {
    const { config } = await serve((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        response.writeHead(201, { 'x-answer': 'yes' })
        response.end(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`)
      })
    })
    const response = await transportTo({ ...config, server: `${config.server}/base/` }).send({
      method: 'POST',
      path: '/api/v1/pods',
      query: new URLSearchParams({ dryRun: 'All' }),
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode('{"a":"ü"}'),
    })
    expect(response.status).toBe(201)
    expect(response.headers['x-answer']).toBe('yes')
    expect(new TextDecoder().decode(await readBody(response))).toBe(
      'POST /base/api/v1/pods?dryRun=All application/json {"a":"ü"}',
    )
  })

  it('uses one connection after the other was answered', async () => {
    const { config, connections } = await serve((_, response) => response.end('ok'))
    const transport = transportTo(config)
    for (let i = 0; i < 5; i++) await text(transport, get('/'))
    expect(connections()).toBe(1)
  })

  it('carries the token, or the token file as it is at the time', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'homeostat-token-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const tokenFile = join(directory, 'token')
    writeFileSync(tokenFile, 'one\n')
    const { config } = await serve((request, response) => response.end(request.headers.authorization))
    const clock = new SimulatedClock()
    const transport = transportTo({ ...config, tokenFile }, clock)
    expect(await text(transport, get('/'))).toBe('Bearer one')
    writeFileSync(tokenFile, 'two\n')
    expect(await text(transport, get('/'))).toBe('Bearer one')
    await clock.advance('1m')
    expect(await text(transport, get('/'))).toBe('Bearer two')
    expect(await text(transportTo({ ...config, token: 'fixed' }), get('/'))).toBe('Bearer fixed')
  })

  it('reads a token file again at once when the server refuses the token', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'homeostat-token-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const tokenFile = join(directory, 'token')
    writeFileSync(tokenFile, 'old')
    const { config } = await serve((request, response) => {
      if (request.headers.authorization === 'Bearer old') response.writeHead(401)
      response.end(request.headers.authorization)
    })
    const transport = transportTo({ ...config, tokenFile })
    expect((await transport.send(get('/'))).status).toBe(401)
    writeFileSync(tokenFile, 'new')
    expect(await text(transport, get('/', { method: 'POST' }))).toBe('Bearer new')
  })

  it('impersonates another user where the configuration names one', async () => {
    const { config } = await serve((request, response) => {
      const headers = Object.entries(request.headersDistinct).filter(([name]) => name.startsWith('imp'))
      response.end(JSON.stringify(Object.fromEntries(headers)))
    })
    const transport = transportTo({
      ...config,
      impersonate: {
        user: 'jane',
        uid: 'u1',
        groups: ['ops', 'dev'],
        extra: { 'example.com/Scopes': ['a', 'b'], none: [] },
      },
    })
    expect(JSON.parse(await text(transport, get('/')))).toEqual({
      'impersonate-user': ['jane'],
      'impersonate-uid': ['u1'],
      'impersonate-group': ['ops', 'dev'],
      'impersonate-extra-example.com%2fscopes': ['a', 'b'],
    })
  })

  it('presents a client certificate', async () => {
    const { config } = await serve((_, response) => response.end('ok'), { clientCa: certificates.ca })
    const transport = transportTo({ ...config, tls: { ...config.tls, ...certificates.client } })
    expect(await text(transport, get('/'))).toBe('ok')
  })

  it('trusts a server whose own certificate is the authority of the configuration, as Go does', async () => {
    const { config } = await serve((_, response) => response.end('ok'))
    expect(await text(transportTo({ ...config, tls: { ca: certificates.server.cert } }), get('/'))).toBe('ok')
    const other = transportTo({ ...config, tls: { ca: certificates.misnamed.cert } })
    await expect(text(other, get('/'))).rejects.toThrow()
  })

  it('decompresses an answer', async () => {
    const long = 'long '.repeat(10_000)
    const { config } = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip')
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(gzipSync(long))
    })
    const response = await transportTo(config).send(get('/'))
    expect(response.headers).not.toHaveProperty('content-encoding')
    expect(new TextDecoder().decode(await readBody(response))).toBe(long)
  })

  it('that only reads is sent again when its pooled connection turns out to be closed', async () => {
    let asked = 0
    const { config } = await serve((request, response) => {
      if (++asked === 2) request.socket.destroy()
      else response.end(`answer ${asked}`)
    })
    const transport = transportTo(config)
    expect(await text(transport, get('/'))).toBe('answer 1')
    expect(await text(transport, get('/'))).toBe('answer 3')
  })

  it('that writes is not sent again: the server may have carried it out', async () => {
    let asked = 0
    const { config } = await serve((request, response) => {
      if (++asked === 2) request.socket.destroy()
      else response.end('ok')
    })
    const transport = transportTo(config)
    await text(transport, get('/'))
    await expect(transport.send(get('/', { method: 'POST' }))).rejects.toMatchObject({
      code: 'TRANSPORT_CONNECTION_LOST',
    })
    expect(asked).toBe(2)
  })

  it('counts as work under way until its body was read', async () => {
    const { config } = await serve((_, response) => response.end('ok'))
    const clock = new SimulatedClock()
    const transport = transportTo(config, clock)
    let body = ''
    void (async () => {
      body = await text(transport, get('/'))
    })()
    await clock.settle()
    expect(body).toBe('ok')
  })
})

describe('a stream', () => {
  it('gives each chunk as it comes, and counts as no work between them', async () => {
    let push: (text: string) => void = () => {}
    const { config } = await serve((_, response) => {
      response.flushHeaders()
      push = (text) => response.write(text)
    })
    const clock = new SimulatedClock()
    const response = await transportTo(config, clock).send(
      get('/', { query: new URLSearchParams({ watch: 'true' }) }),
    )
    await clock.settle()
    const chunks = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    for (const line of ['one\n', 'two\n']) {
      push(line)
      expect(new TextDecoder().decode((await chunks.next()).value)).toBe(line)
    }
    await chunks.return?.()
  })

  it('closes its connection when the reader stops, also before the first chunk', async () => {
    const closed = Promise.withResolvers<void>()
    const { config } = await serve((request, response) => {
      response.flushHeaders()
      request.on('close', closed.resolve)
    })
    const response = await transportTo(config).send(get('/', { query: new URLSearchParams('watch=true') }))
    await (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().return?.()
    await expect(closed.promise).resolves.toBeUndefined()
  })

  it.each(WAYS)('of %s that breaks off is an error, not an end', async (_, query) => {
    const { config } = await serve((_, response) => {
      response.write('half a li')
      setImmediate(() => response.destroy())
    })
    const response = await transportTo(config).send(asking(query)('/'))
    await expect(readBody(response)).rejects.toMatchObject({ code: 'TRANSPORT_CONNECTION_LOST' })
  })

  it('of a watch whose reader does not read holds the server up', async () => {
    const written = Promise.withResolvers<http.ServerResponse>()
    const { config } = await serve((_, response) => {
      const line = Buffer.alloc(65_536, 'x')
      while (response.write(line) || response.writableLength < 16 * 1_048_576);
      response.end()
      written.resolve(response)
    })
    const response = await transportTo(config).send(asking('watch=true')('/'))
    const server = await written.promise
    const chunks = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    const { value: first } = await chunks.next()
    expect(server.writableFinished).toBe(false)
    let length = first.length
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) length += next.value.length
    expect(length).toBeGreaterThanOrEqual(16 * 1_048_576)
    expect(length % 65_536).toBe(0)
  })

  it.each([
    ['a refusal', 403, '{"kind":"Status"}'],
    ['no content', 204, ''],
  ])('of a watch may be %s', async (_, status, body) => {
    const { config } = await serve((_, response) => response.writeHead(status, { 'x-why': 'so' }).end(body))
    const response = await transportTo(config).send(asking('watch=true')('/'))
    expect(response).toMatchObject({ status, headers: { 'x-why': 'so' } })
    expect(new TextDecoder().decode(await readBody(response))).toBe(body)
  })

  it('that breaks off while compressed is an error too', async () => {
    const { config } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.write(gzipSync('x'.repeat(100_000)).subarray(0, 60))
      setImmediate(() => response.destroy())
    })
    const response = await transportTo(config).send(get('/'))
    await expect(readBody(response)).rejects.toMatchObject({ name: 'TransportError' })
  })
})

describe('a server that stops sending', () => {
  const watch = { query: new URLSearchParams('watch=true') }

  /** Simulated time that moves on while requests are under way. */
  function clockThatIgnoresWork(): SimulatedClock {
    const clock = new SimulatedClock()
    clock.busy = () => new SystemClock().busy()
    return clock
  }

  it.each([
    ['a request', {}],
    ['a watch', watch],
  ])('before the answer to %s begins is given up', async (_, rest) => {
    const arrived = Promise.withResolvers<void>()
    const { config } = await serve(() => arrived.resolve())
    const clock = clockThatIgnoresWork()
    const outcome = transportTo(config, clock, '10s')
      .send(get('/', rest))
      .catch((error: unknown) => error)
    await arrived.promise
    await clock.advance('10s')
    expect(await outcome).toMatchObject({
      code: 'TRANSPORT_TIMEOUT',
      message: expect.stringContaining('within 10 s') as string,
    })
  })

  it.each([{}, { 'content-encoding': 'gzip' }])('within its answer (%j) is given up', async (headers) => {
    const closed = Promise.withResolvers<void>()
    const { config } = await serve((request, response) => {
      response.writeHead(200, headers)
      response.write(gzipSync('half'))
      request.on('close', closed.resolve)
    })
    const clock = clockThatIgnoresWork()
    const outcome = readBody(await transportTo(config, clock).send(get('/'))).catch((error: unknown) => error)
    while (!clock.nextDue()) await clock.settle()
    await clock.advance('10m')
    expect(await outcome).toMatchObject({ code: 'TRANSPORT_TIMEOUT' })
    await closed.promise
  })

  it('within a watch is left alone', async () => {
    let goOn = (): void => {}
    const { config } = await serve((_, response) => {
      response.write('one')
      goOn = () => void response.end('two')
    })
    const clock = new SimulatedClock()
    const response = await transportTo(config, clock).send(get('/', watch))
    const reading = readBody(response)
    await clock.advance('10h')
    goOn()
    expect(new TextDecoder().decode(await reading)).toBe('onetwo')
  })
})

describe.each(WAYS)('abort of %s', (_, query) => {
  const ask = asking(query)

  it('before sending rejects with its reason', async () => {
    const { config } = await serve(() => {})
    await expect(transportTo(config).send(ask('/', { signal: AbortSignal.abort('why') }))).rejects.toBe('why')
  })

  it('while waiting for the answer rejects and closes the connection', async () => {
    const [arrived, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { config } = await serve((request) => {
      arrived.resolve()
      request.on('close', closed.resolve)
    })
    const abort = new AbortController()
    const answer = transportTo(config).send(ask('/', { signal: abort.signal }))
    await arrived.promise
    abort.abort('enough')
    await expect(answer).rejects.toBe('enough')
    await closed.promise
  })

  it('while reading ends the body and closes the connection', async () => {
    const closed = Promise.withResolvers<void>()
    const { config } = await serve((request, response) => {
      response.write('first')
      request.on('close', closed.resolve)
    })
    const abort = new AbortController()
    const response = await transportTo(config).send(ask('/', { signal: abort.signal }))
    const chunks = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await chunks.next()
    const next = chunks.next()
    abort.abort()
    expect(await next).toMatchObject({ done: true })
    await closed.promise
  })

  it('by closing the transport ends everything, and nothing can be sent after', async () => {
    const { config } = await serve((request, response) => {
      if (request.url!.startsWith('/stream')) response.write('first')
    })
    const transport = transportTo(config)
    const stream = await transport.send(ask('/stream'))
    const reading = readBody(stream)
    const waiting = transport.send(ask('/never'))
    const outcome = Promise.allSettled([reading, waiting])
    await transport.close()
    for (const result of await outcome) expect(result).toMatchObject({ reason: { code: 'TRANSPORT_CLOSED' } })
    await expect(transport.send(ask('/'))).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
  })
})
