import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { request } from 'node:https'
import { connect, type AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ApiServer, type ApiPort, type PodConnection } from '../../index.ts'

let server: ApiServer
let port: ApiPort
let backend: Server
let answer: RequestListener

beforeEach(async () => {
  backend = createServer((incoming, outgoing) => answer(incoming, outgoing)).listen(0, '127.0.0.1')
  await once(backend, 'listening')
  const backendPort = (backend.address() as AddressInfo).port
  server = await ApiServer.start({ connect: () => open(backendPort) })
  port = await server.listen({ idleTimeout: 2_000 })
  const spec = { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false }
  await write('POST', 'pods', { metadata: { name: 'p' }, spec })
  await write('PUT', 'pods/p/status', { metadata: { name: 'p' }, spec, status: { podIP: '10.0.0.1' } })
})
afterEach(async () => {
  await server.close()
  backend.closeAllConnections()
  backend.close()
})

async function write(method: 'POST' | 'PUT', path: string, object: object): Promise<void> {
  const { status } = await server.handler({
    method,
    path: `/api/v1/namespaces/default/${path}`,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(object)),
  })
  expect(status).toBeLessThan(300)
}

function open(to: number): Promise<PodConnection> {
  const socket = connect(to, '127.0.0.1')
  const { promise, resolve, reject } = Promise.withResolvers<PodConnection>()
  socket.once('error', reject)
  socket.once('connect', () => {
    const { readable, writable } = Duplex.toWeb(socket) as Pick<PodConnection, 'readable' | 'writable'>
    resolve({ readable, writable, close: () => void socket.destroy() })
  })
  return promise
}

function ask(method: string, path = '/', headers: Record<string, string> = {}) {
  const { hostname, port: number } = new URL(port.url)
  return request({
    hostname,
    port: number,
    ca: port.certificateAuthority,
    agent: false,
    method,
    path: `/api/v1/namespaces/default/pods/p/proxy${path}`,
    headers: { authorization: `Bearer ${port.token}`, ...headers },
  })
}

/** Longer than any object that the server itself takes. */
const LENGTH = 24 * 1024 * 1024

it('passes on a body that is longer than any object', async () => {
  answer = (incoming, outgoing) => {
    let length = 0
    incoming.on('data', (chunk: Buffer) => (length += chunk.length))
    incoming.on('end', () => outgoing.end(`got ${length}`))
  }
  const sent = ask('POST')
  sent.end(Buffer.alloc(LENGTH))
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }]
  expect(response.statusCode).toBe(200)
  expect((await text(response)).toString()).toBe(`got ${LENGTH}`)
})

it('passes on the beginning of a body before its end', async () => {
  answer = (incoming, outgoing) => {
    outgoing.writeHead(200).flushHeaders()
    incoming.pipe(outgoing)
  }
  const sent = ask('POST')
  sent.write('first')
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer>]
  const chunks = response[Symbol.asyncIterator]()
  expect(String((await chunks.next()).value)).toBe('first')
  sent.end('second')
  expect(String((await chunks.next()).value)).toBe('second')
})

it('reads an answer no faster than the client does', async () => {
  let written = 0
  let stopped: (() => void) | undefined
  const isFull = new Promise<void>((resolve) => (stopped = resolve))
  answer = (_incoming, outgoing) => {
    const chunk = Buffer.alloc(1024 * 1024)
    outgoing.writeHead(200)
    const more = (): void => {
      while (written < 512 && outgoing.write(chunk)) written++
      if (written < 512) stopped?.()
    }
    outgoing.on('drain', more)
    more()
  }
  const sent = ask('GET')
  sent.end()
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
  response.pause()
  await isFull
  expect(written).toBeLessThan(512)
  sent.destroy()
})

it('passes on an answer that comes before the body was read', async () => {
  answer = (_incoming, outgoing) => outgoing.writeHead(413, { connection: 'close' }).end('too much')
  const sent = ask('POST', '/', { 'content-length': String(LENGTH) })
  sent.on('error', () => undefined)
  sent.write(Buffer.alloc(1024))
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }]
  expect(response.statusCode).toBe(413)
  expect((await text(response)).toString()).toBe('too much')
  sent.destroy()
})

it('closes the connection of a client that stops within a body', async () => {
  const broken = Promise.withResolvers<void>()
  answer = (incoming) => void incoming.on('close', () => broken.resolve()).resume()
  const sent = ask('POST', '/', { 'content-length': '1000' })
  const closed = new Promise<void>((resolve) =>
    sent.on('error', () => resolve()).on('response', () => resolve()),
  )
  sent.write('some')
  await closed
  await expect(broken.promise).resolves.toBeUndefined()
})

it('answers a refused request without reading its body', async () => {
  const sent = ask('POST', '/', { authorization: 'Bearer wrong', 'content-length': String(LENGTH) })
  sent.on('error', () => undefined)
  sent.write('some')
  const [response] = (await once(sent, 'response')) as [{ statusCode: number }]
  expect(response.statusCode).toBe(401)
  sent.destroy()
})

it('survives a compressed answer that breaks off, and serves the next', async () => {
  answer = (incoming, outgoing) => {
    if (incoming.url === '/whole') return void outgoing.end('whole')
    outgoing.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' })
    outgoing.write(gzipSync(Buffer.alloc(100_000, 'a')).subarray(0, 50), () => outgoing.destroy())
  }
  const broken = ask('GET', '/broken')
  broken.end()
  const [response] = (await once(broken, 'response')) as [AsyncIterable<Buffer>]
  await expect(text(response)).rejects.toThrow()
  const next = ask('GET', '/whole')
  next.end()
  const [whole] = (await once(next, 'response')) as [AsyncIterable<Buffer>]
  expect((await text(whole)).toString()).toBe('whole')
})

async function text(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
