import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { request } from 'node:https'
import { connect as connectTls } from 'node:tls'
import { turnOfTheEventLoop } from '@homeostat/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiServer } from '../server.ts'
import type { ApiPort } from './port.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
/** Short, so that a test need not wait long for it to run out. */
const IDLE_TIMEOUT = 800

let server: ApiServer
let port: ApiPort
/**
 * Serves the same objects to well-behaved clients with a long timeout, so that a pause of this process cannot cut
 * them off.
 */
let portWithLongTimeout: ApiPort
let sockets: Socket[]

beforeEach(async () => {
  sockets = []
  server = await ApiServer.start()
  port = await server.listen({ idleTimeout: IDLE_TIMEOUT })
  portWithLongTimeout = await server.listen()
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server.close()
})

function keep<T extends Socket>(socket: T): T {
  sockets.push(socket)
  socket.on('error', () => undefined)
  return socket
}

/** A connection that sends the text unchanged, and reads only when told to. */
function open(text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const options = { port: port.port, host: '127.0.0.1', ca: port.certificateAuthority }
    const socket = keep(connectTls(options, () => socket.write(text, () => resolve(socket))))
    socket.once('error', reject)
  })
}

function head(method: string, path: string, length = 0): string {
  const body = length > 0 ? `Content-Type: application/json\r\nContent-Length: ${length}\r\n` : ''
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${port.token}\r\n${body}\r\n`
}

function closed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve('closed'))
    socket.resume()
  })
}

/** The codes of a number of answers. */
function codes(socket: Socket, count: number): Promise<string[]> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (data: Buffer) => {
      text += data.toString()
      const found = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => match[1] ?? '')
      if (found.length >= count) resolve(found)
    })
  })
}

/** A well-behaved client. */
function get(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(
      `${portWithLongTimeout.url}${path}`,
      {
        ca: portWithLongTimeout.certificateAuthority,
        headers: { authorization: `Bearer ${portWithLongTimeout.token}` },
        agent: false,
      },
      (incoming) => {
        incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0))
      },
    )
      .on('error', reject)
      .end()
  })
}

async function create(name: string, data: Record<string, string>): Promise<void> {
  const { status } = await server.handler({
    method: 'POST',
    path: CONFIG_MAPS,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify({ metadata: { name }, data })),
  })
  expect(status).toBe(201)
}

test('pipelined requests are processed in order', async () => {
  const requests = Array.from({ length: 20 }, (_, index) => {
    const body = JSON.stringify({ metadata: { name: `p${index}` } })
    return `${head('POST', CONFIG_MAPS, body.length)}${body}${head('GET', `${CONFIG_MAPS}/p${index}`)}`
  })
  const socket = await open(requests.join(''))
  expect(await codes(socket, 40)).toEqual(Array.from({ length: 20 }, () => ['201', '200']).flat())
})

test('a request that stops half-way loses its connection, while others are served', async () => {
  const slowHead = await open('GET /version HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  const slowBody = await open(`${head('POST', CONFIG_MAPS, 1_000)}{"metadata":`)
  const silent = keep(connectTcp(port.port, '127.0.0.1'))
  expect(await get('/version')).toBe(200)
  expect(await Promise.all([slowHead, slowBody, silent].map(closed))).toEqual(['closed', 'closed', 'closed'])
  expect(await get(CONFIG_MAPS)).toBe(200)
})

test('a client that sends one byte at a time is cut off when its idle timeout expires, however often it sends', async () => {
  const slow = await open(head('POST', CONFIG_MAPS, 1_000))
  slow.resume()
  let bytes = 0
  for (; !slow.destroyed; bytes++) {
    slow.write('{')
    expect(await get('/version')).toBe(200)
  }
  expect(bytes).toBeLessThan(1_000)
})

test('a body of 100 MB is refused after its first part, and the client that only writes still reads why', async () => {
  const length = 100 * 1024 * 1024
  const socket = await open(head('POST', CONFIG_MAPS, length))
  const [answered, over] = [codes(socket, 1), closed(socket)]
  const part = Buffer.alloc(1024 * 1024, 32)
  let sent = 0
  while (sent < length && !socket.destroyed) {
    if (!socket.write(part)) await Promise.race([once(socket, 'drain').catch(() => undefined), over])
    sent += part.length
  }
  expect(await answered).toEqual(['413'])
  expect(await get(CONFIG_MAPS)).toBe(200)
  expect(await over).toBe('closed')
})

test('a watch whose client does not read is ended, and costs neither memory nor other clients', async () => {
  const text = 'x'.repeat(900_000)
  for (let index = 0; index < 20; index++) await create(`long-${index}`, { text })
  const deaf = await open(head('GET', `${CONFIG_MAPS}?watch=true`))
  while (server.registry.watches.size === 0) await turnOfTheEventLoop()
  const other = await open(head('GET', `${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name=last`))
  const told = new Promise<string>((resolve) => {
    other.on('data', (data: Buffer) => {
      if (data.includes('"ADDED"')) resolve('told')
    })
  })
  await create('last', {})
  expect(await told).toBe('told')
  while (server.registry.watches.size > 1) await turnOfTheEventLoop()
  expect(await closed(deaf)).toBe('closed')
  expect(server.registry.watches.size).toBe(1)
})

test('a thousand watches that are not read share their pending events, while others are served', async () => {
  const query = new URLSearchParams('watch=true')
  const watch = async (): Promise<AsyncIterator<Uint8Array>> => {
    const { body } = await server.handler({ method: 'GET', path: CONFIG_MAPS, query, headers: {} })
    return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  }
  const unread = await Promise.all(Array.from({ length: 1_000 }, watch))
  const reader = await watch()
  await create('first', {})
  // A watch begins with its first event.
  await Promise.all([reader, ...unread].map((iterator) => iterator.next()))
  const { rss } = process.memoryUsage()
  const text = 'x'.repeat(50_000)
  for (let index = 0; index < 200; index++) await create(`event-${index}`, { text })
  // A copy for each watch would be 10 GB.
  expect(process.memoryUsage().rss - rss).toBeLessThan(500 * 1024 * 1024)
  const { value } = (await reader.next()) as IteratorResult<Uint8Array, undefined>
  expect(new TextDecoder().decode(value)).toContain('event-0')
  expect(await get('/version')).toBe(200)
  for (const iterator of [reader, ...unread]) await iterator.return?.()
})

test('a watch over a WebSocket whose client does not read is ended', async () => {
  const text = 'x'.repeat(900_000)
  for (let index = 0; index < 20; index++) await create(`long-${index}`, { text })
  const handshake =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nOrigin: https://x\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n'
  const deaf = await open(head('GET', `${CONFIG_MAPS}?watch=true`).replace(/\r\n$/, handshake))
  while (server.registry.watches.size === 0) await turnOfTheEventLoop()
  while (server.registry.watches.size > 0) await turnOfTheEventLoop()
  expect(await closed(deaf)).toBe('closed')
})

test('a silent watch keeps its connection', async () => {
  const watching = await open(head('GET', `${CONFIG_MAPS}?watch=true`))
  let text = ''
  watching.on('data', (data: Buffer) => (text += data.toString()))
  // Longer than the idle timeout of a client that sends or reads too slowly.
  await closed(await open('GET /version HTTP/1.1\r\n'))
  await closed(await open('GET /version HTTP/1.1\r\n'))
  await create('late', {})
  while (!text.includes('"late"')) await get('/version')
  expect(watching.destroyed).toBe(false)
})

test('closing does not wait for a handshake, the head or body of a request, or a client that does not read', async () => {
  port = portWithLongTimeout
  const half = [
    keep(connectTcp(port.port, '127.0.0.1')),
    await open(''),
    await open('GET /version HTTP/1.1\r\nHost'),
    await open(`${head('POST', CONFIG_MAPS, 1_000)}{"metadata":{"name":"half"},`),
    await open(head('GET', `${CONFIG_MAPS}?watch=true`) + head('GET', CONFIG_MAPS)),
  ]
  while (server.registry.watches.size === 0) await get('/version')
  const ends = Promise.all(half.map(closed))
  await server.close()
  expect(await ends).toEqual(half.map(() => 'closed'))
  expect(server.registry.watches.size).toBe(0)
})

test('the request line may contain the address of the server', async () => {
  const socket = await open(head('GET', `https://127.0.0.1${CONFIG_MAPS}?limit=1`))
  expect(await codes(socket, 1)).toEqual(['200'])
})
