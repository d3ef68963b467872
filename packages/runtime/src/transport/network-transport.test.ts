import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { SimulatedClock, SystemClock, type ApiRequest, type Clock, type Duration } from '@homeostat/api'
import { afterEach, describe, expect, it } from 'vitest'
import * as certificates from '../../test/certificates.ts'
import type { ClusterConfig } from './cluster-config.ts'
import type { ExecConfig } from './exec-config.ts'
import { networkTransport } from './network-transport.ts'
import { readBody } from './read-body.ts'
import type { Transport } from './transport.ts'

type Handle = (request: http.IncomingMessage, response: http.ServerResponse) => void

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end()
})

/** A server of this test's own, over TLS unless told otherwise, and a configuration that leads to it. */
async function serve(
  handle: Handle,
  options: { certificate?: { cert: string; key: string }; plain?: boolean; clientCa?: string } = {},
): Promise<{ config: ClusterConfig; server: http.Server | https.Server; connections: () => number }> {
  const server = options.plain
    ? http.createServer(handle)
    : https.createServer(
        {
          ...(options.certificate ?? certificates.server),
          ...(options.clientCa && { ca: options.clientCa, requestCert: true, rejectUnauthorized: true }),
        },
        handle,
      )
  let connections = 0
  server.on(options.plain ? 'connection' : 'secureConnection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    server,
    connections: () => connections,
    config: {
      server: `${options.plain ? 'http' : 'https'}://127.0.0.1:${port}`,
      tls: { ca: certificates.ca },
      namespace: 'default',
      source: 'a test',
    },
  }
}

function transportTo(
  config: ClusterConfig,
  clock: Clock = new SystemClock(),
  requestTimeout?: Duration,
): Transport {
  const transport = networkTransport(config, { clock, requestTimeout })
  cleanUp.push(() => transport.close())
  return transport
}

function get(path: string, rest: Partial<ApiRequest> = {}): ApiRequest {
  return { method: 'GET', path, query: new URLSearchParams(), headers: {}, ...rest }
}

/** Requests of the pool, and those that have a connection of their own: all that can go wrong can with both. */
const WAYS = [
  ['a request', ''],
  ['a watch', 'watch=true'],
] as const

/** Makes requests of one of the ways. */
function asking(query: string): typeof get {
  return (path, rest) => get(path, { query: new URLSearchParams(query), ...rest })
}

async function text(transport: Transport, request: ApiRequest): Promise<string> {
  return new TextDecoder().decode(await readBody(await transport.send(request)))
}

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
    cleanUp.push(() => rmSync(directory, { recursive: true }))
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
    cleanUp.push(() => rmSync(directory, { recursive: true }))
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

  it('acts as someone else where told to', async () => {
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

  it('shows a client certificate', async () => {
    const { config } = await serve((_, response) => response.end('ok'), { clientCa: certificates.ca })
    const transport = transportTo({ ...config, tls: { ...config.tls, ...certificates.client } })
    expect(await text(transport, get('/'))).toBe('ok')
  })

  it('unpacks an answer that was packed', async () => {
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

  it('that writes is not sent again: nobody knows whether it was done', async () => {
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

  it('that breaks off while packed is an error too', async () => {
    const { config } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.write(gzipSync('x'.repeat(100_000)).subarray(0, 60))
      setImmediate(() => response.destroy())
    })
    const response = await transportTo(config).send(get('/'))
    await expect(readBody(response)).rejects.toMatchObject({ name: 'TransportError' })
  })
})

describe.each(WAYS)('credentials from a program for %s', (_, query) => {
  const ask = asking(query)

  /** A program that prints the status in the file, and counts its runs in another. */
  function program(): { exec: ExecConfig; print: (status: object) => void; runs: () => number } {
    const directory = mkdtempSync(join(tmpdir(), 'homeostat-exec-'))
    cleanUp.push(() => rmSync(directory, { recursive: true }))
    const [status, runs] = [join(directory, 'status'), join(directory, 'runs')]
    const apiVersion = 'client.authentication.k8s.io/v1'
    const script = `const fs = require('fs'); fs.appendFileSync(${JSON.stringify(runs)}, 'x')
      console.log(fs.readFileSync(${JSON.stringify(status)}, 'utf8'))`
    return {
      exec: {
        apiVersion,
        command: process.execPath,
        args: ['-e', script],
        env: {},
        interactiveMode: 'Never',
        source: 'user "me"',
      },
      print: (value) =>
        writeFileSync(status, JSON.stringify({ apiVersion, kind: 'ExecCredential', status: value })),
      runs: () => readFileSync(runs, 'utf8').length,
    }
  }

  it('are fetched once for many requests, and again when the server refuses them', async () => {
    const { exec, print, runs } = program()
    let good = 'Bearer one'
    const { config } = await serve((request, response) => {
      if (request.headers.authorization !== good) response.writeHead(401)
      response.end(request.headers.authorization)
    })
    const clock = new SimulatedClock()
    const transport = transportTo({ ...config, exec }, clock)
    print({ token: 'one' })
    const answers = await Promise.all([1, 2, 3].map(() => text(transport, ask('/'))))
    expect(answers).toEqual(['Bearer one', 'Bearer one', 'Bearer one'])
    expect(runs()).toBe(1)
    good = 'Bearer two'
    print({ token: 'two' })
    await clock.advance('1m')
    expect(await text(transport, ask('/', { method: 'POST' }))).toBe('Bearer two')
    expect(runs()).toBe(2)
    good = 'Bearer three'
    expect((await transport.send(ask('/'))).status).toBe(401)
    expect(runs()).toBe(2)
  })

  it('may be a client certificate, which new connections show', async () => {
    const { exec, print } = program()
    const { config, connections } = await serve((_, response) => response.end('ok'), {
      clientCa: certificates.ca,
    })
    const { cert: clientCertificateData, key: clientKeyData } = certificates.client
    const expirationTimestamp = '2026-01-01T13:00:00Z'
    print({ clientCertificateData, clientKeyData, expirationTimestamp })
    const clock = new SimulatedClock({ start: '2026-01-01T12:00:00Z' })
    const transport = transportTo({ ...config, exec }, clock)
    expect([await text(transport, ask('/')), await text(transport, ask('/'))]).toEqual(['ok', 'ok'])
    const before = query === '' ? 1 : 2
    expect(connections()).toBe(before)
    await clock.advance('1h')
    print({ clientCertificateData: `${clientCertificateData}\n`, clientKeyData })
    expect(await text(transport, ask('/'))).toBe('ok')
    expect(connections()).toBe(before + 1)
  })

  it('that are no usable certificate are an error that names the program', async () => {
    const { exec, print } = program()
    const { config } = await serve((_, response) => response.end('ok'))
    print({ clientCertificateData: 'hunter2', clientKeyData: 'hunter2' })
    const failure = await transportTo({ ...config, exec })
      .send(ask('/'))
      .catch((error: unknown) => error as Error)
    expect(failure).toMatchObject({ code: 'TRANSPORT_CREDENTIALS' })
    expect((failure as Error).message).toMatch(
      /credentials of user "me", printed a client certificate and key/,
    )
    expect((failure as Error).message).not.toContain('hunter2')
  })

  it('are waited for no longer when the transport closes', async () => {
    const { exec } = program()
    const { config } = await serve(() => {})
    const slow = { ...exec, args: ['-e', 'setInterval(() => {}, 1000)'] }
    const transport = transportTo({ ...config, exec: slow })
    const waiting = transport.send(ask('/'))
    const outcome = waiting.catch((error: unknown) => error)
    await transport.close()
    expect(await outcome).toMatchObject({ code: 'TRANSPORT_CLOSED' })
  })
})

describe.each(WAYS)('a proxy for %s', (_, query) => {
  const ask = asking(query)

  /** A proxy that tunnels where it is asked to, unless `refuse` says with which status it does not. */
  async function proxy(refuse?: (headers: http.IncomingHttpHeaders) => number | undefined) {
    const asked: string[] = []
    const server = http.createServer()
    const sockets = new Set<net.Socket>()
    server.on('connect', (request, client: net.Socket) => {
      asked.push(request.url!)
      const status = refuse?.(request.headers)
      if (status !== undefined) {
        client.end(`HTTP/1.1 ${status} No\r\n\r\n`)
        return
      }
      const [host, port] = request.url!.split(':') as [string, string]
      const upstream = net.connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanUp.push(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
  }

  it('carries it to the server, whose certificate is still verified, the pool on kept connections', async () => {
    const { config } = await serve((_, response) => response.end('ok'))
    const { address, asked } = await proxy()
    const transport = transportTo({ ...config, proxy: `http://${address}` })
    const times = query === '' ? 1 : 3
    for (let i = 0; i < 3; i++) expect(await text(transport, ask('/'))).toBe('ok')
    expect(asked).toEqual(Array(times).fill(new URL(config.server).host))
    const distrusting = transportTo({
      ...config,
      proxy: `http://${address}`,
      tls: { ca: certificates.otherCa },
    })
    await expect(distrusting.send(ask('/'))).rejects.toMatchObject({ code: 'TLS_UNTRUSTED' })
  })

  it('carries requests to a server without TLS too', async () => {
    const { config } = await serve((_, response) => response.end('ok'), { plain: true })
    const { address, asked } = await proxy()
    expect(await text(transportTo({ ...config, proxy: `http://${address}` }), ask('/'))).toBe('ok')
    expect(asked).toHaveLength(1)
  })

  it('gets the user and password of its address', async () => {
    const { config } = await serve((_, response) => response.end('ok'))
    const expected = `Basic ${Buffer.from('me:hunter/2').toString('base64')}`
    const { address } = await proxy((headers) =>
      headers['proxy-authorization'] === expected ? undefined : 407,
    )
    expect(await text(transportTo({ ...config, proxy: `http://me:hunter%2F2@${address}` }), ask('/'))).toBe(
      'ok',
    )
    const refused = await transportTo({ ...config, proxy: `http://me:wrong@${address}` })
      .send(ask('/'))
      .catch((error: unknown) => error as Error)
    expect(refused).toMatchObject({ code: 'TRANSPORT_PROXY_REFUSED' })
    expect((refused as Error).message).toMatch(/refused to connect to .* \(407\). Give the user and password/)
    expect((refused as Error).message).not.toContain('wrong')
  })

  it('that is not there is named', async () => {
    const { config } = await serve(() => {})
    const gone = transportTo({ ...config, proxy: 'http://127.0.0.1:1' }).send(ask('/'))
    await expect(gone).rejects.toMatchObject({
      code: 'TRANSPORT_REFUSED',
      message: expect.stringMatching(/^the proxy 127.0.0.1:1 on the way to https/) as string,
    })
  })

  it('is left when the transport closes', async () => {
    const { config } = await serve(() => {})
    const silent = net.createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const connected = new Promise<net.Socket>((resolve) => silent.once('connection', resolve))
    cleanUp.push(() => silent.close())
    const { port } = silent.address() as AddressInfo
    const transport = transportTo({ ...config, proxy: `http://127.0.0.1:${port}` })
    const outcome = transport.send(ask('/')).catch((error: unknown) => error)
    const socket = await connected
    const left = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
    await transport.close()
    expect(await outcome).toMatchObject({ code: 'TRANSPORT_CLOSED' })
    await left
  })
})

describe('a server that falls silent', () => {
  const watch = { query: new URLSearchParams('watch=true') }

  /** Simulated time that moves although requests are under way. */
  function impatientClock(): SimulatedClock {
    const clock = new SimulatedClock()
    clock.busy = () => ({ end() {}, [Symbol.dispose]() {} })
    return clock
  }

  it.each([
    ['a request', {}],
    ['a watch', watch],
  ])('before the answer to %s begins is given up', async (_, rest) => {
    const arrived = Promise.withResolvers<void>()
    const { config } = await serve(() => arrived.resolve())
    const clock = impatientClock()
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
    const clock = impatientClock()
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

describe.each(WAYS)('no answer to %s', (_, query) => {
  const ask = asking(query)

  async function refused(config: ClusterConfig): Promise<Error & { code: string }> {
    return transportTo(config)
      .send(ask('/'))
      .then(
        () => Promise.reject(new Error('it was answered')),
        (error: Error & { code: string }) => error,
      )
  }

  it('from a port where nothing listens says so, with the remedy', async () => {
    const { config, server } = await serve(() => {})
    await new Promise((resolve) => server.close(resolve))
    const error = await refused(config)
    expect(error).toMatchObject({ name: 'TransportError', code: 'TRANSPORT_REFUSED' })
    expect(error.message).toBe(
      `the server ${config.server} refused the connection: nothing listens there. Start the API server, or correct the address in the kubeconfig.`,
    )
  })

  it('from a host that does not exist', async () => {
    const { config } = await serve(() => {})
    const error = await refused({ ...config, server: 'https://does-not-exist.invalid:6443' })
    expect(error.code).toBe('TRANSPORT_HOST_UNKNOWN')
  })

  it('from a server of another CA', async () => {
    const { config } = await serve(() => {})
    const error = await refused({ ...config, tls: { ca: certificates.otherCa } })
    expect(error.code).toBe('TLS_UNTRUSTED')
    expect(error.message).toContain('certificate-authority')
  })

  it('from a server whose certificate has expired', async () => {
    const { config } = await serve(() => {}, { certificate: certificates.expired })
    expect((await refused(config)).code).toBe('TLS_EXPIRED')
  })

  it('from a server whose certificate is for another name, unless that name was expected', async () => {
    const { config } = await serve((_, response) => response.end('ok'), {
      certificate: certificates.misnamed,
    })
    const error = await refused(config)
    expect(error.code).toBe('TLS_NAME_MISMATCH')
    expect(error.message).toMatch(/for another name .*tls-server-name/)
    const expected = { ...config, tls: { ...config.tls, serverName: 'elsewhere.example.com' } }
    expect(await text(transportTo(expected), ask('/'))).toBe('ok')
  })

  it('is no matter of trust where verification is off', async () => {
    const { config } = await serve((_, response) => response.end('ok'), { certificate: certificates.expired })
    expect(await text(transportTo({ ...config, tls: { insecureSkipVerify: true } }), ask('/'))).toBe('ok')
  })

  it('without the client certificate that the server wants', async () => {
    const { config } = await serve(() => {}, { clientCa: certificates.ca })
    expect((await refused(config)).code).toBe('TLS_CLIENT_REFUSED')
  })

  it('from a port that does not speak TLS', async () => {
    const { config } = await serve(() => {}, { plain: true })
    const error = await refused({ ...config, server: config.server.replace('http:', 'https:') })
    expect(error.code).toBe('TRANSPORT_PROTOCOL')
  })

  it('from a server that closes every connection', async () => {
    const server = net.createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanUp.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const error = await refused({
      server: `http://127.0.0.1:${port}`,
      tls: {},
      namespace: 'default',
      source: 'a test',
    })
    expect(error.code).toBe('TRANSPORT_CONNECTION_LOST')
  })

  it('with a certificate and a key that do not belong together is told before anything is sent', () => {
    const config: ClusterConfig = {
      server: 'https://127.0.0.1:1',
      tls: { cert: certificates.client.cert, key: certificates.server.key },
      namespace: 'default',
      source: 'context "dev" of /c',
    }
    expect(() => transportTo(config)).toThrow(/certificates of context "dev" of \/c cannot be used/)
  })

  it('that shows a client certificate which has expired says so, where the server does not know who asks', async () => {
    const { config } = await serve((_, response) => response.writeHead(401).end('{}'))
    const mine = { ...config, tls: { ...config.tls, ...certificates.expired }, source: 'context "dev" of /c' }
    const error = await refused(mine)
    expect(error.code).toBe('TLS_CLIENT_EXPIRED')
    expect(error.message).toMatch(
      /does not accept the client certificate of context "dev" of \/c: it expired at 2021-01-01T00:00:00.000Z. Renew it/,
    )
    const good = { ...config, tls: { ...config.tls, ...certificates.client } }
    expect((await transportTo(good).send(ask('/'))).status).toBe(401)
  })

  it('that had to wait for credentials is not sent if it may not be any more', async () => {
    const paths: string[] = []
    const { config } = await serve((request, response) => {
      paths.push(request.url!)
      response.end('ok')
    })
    const transport = transportTo(config)
    const beforeSend = (): void => {
      throw new Error('too late')
    }
    await expect(transport.send(ask('/late', { beforeSend }))).rejects.toThrow('too late')
    expect(await text(transport, ask('/other'))).toBe('ok')
    expect(paths).toEqual([query === '' ? '/other' : `/other?${query}`])
  })

  it('that could be taken for two requests is not sent', async () => {
    const { config, connections } = await serve((_, response) => response.end('ok'))
    const headers = { accept: 'a\r\nx-more: b' }
    await expect(transportTo(config).send(ask('/', { headers }))).rejects.toThrow(/Invalid character/)
    await expect(transportTo(config).send(ask('/a\r\nb'))).rejects.toThrow(/escaped/)
    expect(connections()).toBe(0)
  })

  it('from a server that does not speak HTTP', async () => {
    const server = net.createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanUp.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const address = { server: `http://127.0.0.1:${port}`, tls: {}, namespace: 'default', source: 'a test' }
    expect(await refused(address)).toMatchObject({
      code: 'TRANSPORT_PROTOCOL',
      message: expect.stringContaining('does not answer in HTTP') as string,
    })
  })

  it('with a token file that is missing', async () => {
    const { config } = await serve(() => {})
    const error = await refused({ ...config, tokenFile: '/no/token' })
    expect(error.code).toBe('TRANSPORT_CREDENTIALS')
    expect(error.message).toContain('/no/token')
  })
})
