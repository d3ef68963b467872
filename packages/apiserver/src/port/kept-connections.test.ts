import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import type { HomeostatError } from '@homeostat/api'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiServer } from '../server.ts'
import { openPort, type ApiPort } from './port.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const KIB = 1024

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function start(dataDir?: string): Promise<ApiPort> {
  const server = await ApiServer.start({ dataDir })
  cleanUps.push(() => server.close())
  return server.listen()
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'homeostat-kept-'))
  cleanUps.push(() => rm(folder, { recursive: true }))
  return folder
}

/** A client that sends one request after the other over one connection: each body at once, or slowly in small pieces. */
function oneConnection(port: ApiPort, pace: 'fast' | 'slow' = 'fast') {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: port.certificateAuthority })
  cleanUps.push(() => agent.destroy())
  const ports = new Set<number | undefined>()
  const send = (method: string, path: string, body?: string, type = 'application/json'): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${port.token}`, 'content-type': type }
      const outgoing = request(`${port.url}${path}`, { method, headers, agent }, (incoming) => {
        incoming.on('end', () => resolve(incoming.statusCode ?? 0)).on('error', reject)
        if (pace === 'fast') incoming.resume()
        else readSlowly(incoming).catch(reject)
      })
      outgoing.on('socket', (socket) => ports.add(socket.localPort)).on('error', reject)
      if (pace === 'fast') outgoing.end(body)
      else sendSlowly(outgoing, body ?? '').catch(reject)
    })
  return { send, ports }
}

async function readSlowly(incoming: IncomingMessage): Promise<void> {
  for await (const _ of incoming) await setImmediate()
}

async function sendSlowly(outgoing: ClientRequest, body: string): Promise<void> {
  for (let start = 0; start < body.length; start += 10_000) {
    if (!outgoing.write(body.slice(start, start + 10_000))) await once(outgoing, 'drain')
    await setImmediate()
  }
  outgoing.end()
}

const configMap = (name: string, size: number): string =>
  JSON.stringify({ metadata: { name }, data: { text: 'x'.repeat(size) } })

describe.each(['in memory', 'with a data folder'])('a server %s', (where) => {
  test('reads bodies of every size over kept connections, from several fast and slow clients', async () => {
    const port = await start(where === 'in memory' ? undefined : await temporaryFolder())
    const sizes = [0, 1, 8, 16, 24, 60, 64, 100, 200, 300, 400, 500, 700, 900]
    const run = async (name: string, pace: 'fast' | 'slow'): Promise<void> => {
      const { send, ports } = oneConnection(port, pace)
      expect(await send('POST', CONFIG_MAPS, configMap(name, 1))).toBe(201)
      for (let round = 0; round < 4; round++) {
        for (const size of sizes) {
          const patch = configMap(name, size * KIB + round)
          const code = await send('PATCH', `${CONFIG_MAPS}/${name}`, patch, 'application/merge-patch+json')
          expect([size, code]).toEqual([size, 200])
        }
      }
      expect(ports.size).toBe(1)
    }
    await Promise.all([run('a', 'fast'), run('b', 'fast'), run('c', 'slow')])
  })
})

test('a long body that arrives while the client has not read the last answer is read whole', async () => {
  const port = await start()
  const { send } = oneConnection(port)
  for (let index = 0; index < 24; index++) {
    expect(await send('POST', CONFIG_MAPS, configMap(`long-${index}`, 900 * KIB))).toBe(201)
  }
  const socket = connect({ port: port.port, host: '127.0.0.1', ca: port.certificateAuthority })
  cleanUps.push(() => socket.destroy())
  await once(socket, 'secureConnect')
  const headers = `Host: x\r\nAuthorization: Bearer ${port.token}\r\n`
  socket.write(`GET ${CONFIG_MAPS} HTTP/1.1\r\n${headers}\r\n`)
  // The answer has begun, and is too long for the connection to hold it.
  await once(socket, 'readable')
  for (let index = 0; index < 5; index++) {
    const body = configMap(`behind-${index}`, 300 * KIB)
    socket.write(
      `POST ${CONFIG_MAPS} HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  }
  // Another client is served meanwhile, which shows that the server had the chance to read on.
  for (let index = 0; index < 20; index++) expect(await send('GET', '/version')).toBe(200)
  expect(await answers(socket, 6)).toEqual(['200', '201', '201', '201', '201', '201'])
})

/** The codes of a number of answers, or of those before the connection ended. */
function answers(socket: TLSSocket, count: number): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>()
  const found: string[] = []
  let rest = ''
  socket.on('data', (data: Buffer) => {
    const text = rest + data.toString('latin1')
    const matches = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)]
    found.push(...matches.map((match) => match[1] ?? ''))
    const last = matches.at(-1)
    rest = text.slice(Math.max(last ? last.index + last[0].length : 0, text.length - 20))
    if (found.length >= count) resolve(found)
  })
  for (const end of ['close', 'error']) socket.once(end, () => resolve(found))
  return promise
}

test('an answer that fails while it is written is reported, with its request and without its query', async () => {
  const problems: HomeostatError[] = []
  const server = await ApiServer.start()
  cleanUps.push(() => server.close())
  const body = (async function* () {
    yield new TextEncoder().encode('{')
    throw new Error('the source broke')
  })()
  const port = await openPort(
    { handler: async () => ({ status: 200, headers: {}, body }), token: 'x', clock: server.clock },
    { onProblem: (problem) => problems.push(problem) },
  )
  cleanUps.push(() => port.close())
  const { send } = oneConnection(port)
  await expect(send('GET', '/broken?token=secret')).rejects.toThrow(/aborted|hang up|reset/)
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'PORT_REQUEST_LOST: GET /broken was cut off: the source broke',
  ])
})

test('a valid request that the HTTP parser loses is reported, and its connection is closed', async () => {
  const problems: HomeostatError[] = []
  const createServer = vi.spyOn(process.getBuiltinModule('node:https'), 'createServer')
  cleanUps.push(() => createServer.mockRestore())
  const server = await ApiServer.start()
  cleanUps.push(() => server.close())
  const port = await server.listen({ onProblem: (problem) => problems.push(problem) })
  const [result] = createServer.mock.results
  if (result?.type !== 'return') throw new Error('the port has no server')
  const accepted = once(result.value, 'secureConnection')
  const socket = connect({ port: port.port, host: '127.0.0.1', ca: port.certificateAuthority })
  cleanUps.push(() => socket.destroy())
  const [connection] = await accepted
  const error = Object.assign(new Error('Parse Error: Paused'), { code: 'HPE_PAUSED' })
  result.value.emit('clientError', error, connection)
  await once(socket, 'close')
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'PORT_PARSER: the HTTP parser failed with HPE_PAUSED: Parse Error: Paused',
  ])
})

test('a request that is not HTTP is refused with 400 and not reported, and one that is too long with 431', async () => {
  const problems: HomeostatError[] = []
  const server = await ApiServer.start()
  cleanUps.push(() => server.close())
  const port = await server.listen({ onProblem: (problem) => problems.push(problem) })
  const refused = async (text: string): Promise<string[]> => {
    const socket = connect({ port: port.port, host: '127.0.0.1', ca: port.certificateAuthority })
    cleanUps.push(() => socket.destroy())
    await once(socket, 'secureConnect')
    socket.write(text)
    return answers(socket, 1)
  }
  expect(await refused('rubbish\r\n\r\n')).toEqual(['400'])
  expect(await refused(`GET / HTTP/1.1\r\nX: ${'x'.repeat(1_060_000)}\r\n\r\n`)).toEqual(['431'])
  expect(problems).toEqual([])
})

test('headers and a URL of nearly 1 MiB are read to their end, as by a real kube-apiserver', async () => {
  const port = await start(undefined)
  const code = async (path: string, headers = ''): Promise<string[]> => {
    const socket = connect({ port: port.port, host: '127.0.0.1', ca: port.certificateAuthority })
    cleanUps.push(() => socket.destroy())
    await once(socket, 'secureConnect')
    const last = `Authorization: Bearer ${port.token}`
    socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n${headers}${last}\r\n\r\n`)
    return answers(socket, 1)
  }
  const values = Array.from({ length: 100_000 }, (_, index) => `v${index}`).join('%2C')
  const path = '/api/v1/namespaces'
  expect(await code(`${path}?labelSelector=a+in+%28${values}%29`)).toEqual(['200'])
  const many = Array.from({ length: 3_000 }, (_, index) => `X-${index}: a\r\n`).join('')
  expect(await code(path, many)).toEqual(['200'])
  expect(await code(path, many.repeat(4))).toEqual(['431'])
})
