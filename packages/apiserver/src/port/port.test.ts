import { connect } from 'node:net'
import { request } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ApiServer } from '../server.ts'
import type { ApiPort } from './port.ts'

let server: ApiServer
let port: ApiPort

beforeEach(async () => {
  server = await ApiServer.start()
  port = await server.listen()
})
afterEach(() => server.close())

interface Answer {
  readonly code: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

function send(
  path: string,
  options: { method?: string; body?: string | Buffer; headers?: Record<string, string>; ca?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', body, headers, ca = port.certificateAuthority } = options
    const outgoing = request(
      `${port.url}${path}`,
      { method, ca, headers: { authorization: `Bearer ${port.token}`, ...headers } },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('end', () =>
          resolve({ code: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
        )
        incoming.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

test('a client that trusts the authority and has the token is served', async () => {
  const { code, body } = await send('/api/v1/namespaces')
  expect(code).toBe(200)
  expect(JSON.parse(body.toString()).kind).toBe('NamespaceList')
})

test('a client that does not trust the authority does not connect', async () => {
  const other = await server.listen()
  await expect(send('/version', { ca: other.certificateAuthority })).rejects.toThrow(
    /certificate|signature|verify/,
  )
})

test('without the token only health and version are served', async () => {
  expect((await send('/version', { headers: { authorization: '' } })).code).toBe(200)
  expect((await send('/api/v1/pods', { headers: { authorization: '' } })).code).toBe(403)
  expect((await send('/version', { headers: { authorization: 'Bearer wrong' } })).code).toBe(401)
})

test('the kubeconfig has the address of the port', () => {
  const config = parse(port.kubeconfig())
  expect(config['current-context']).toBe('homeostat')
  expect(config.clusters[0].cluster.server).toBe(port.url)
  expect(atob(config.clusters[0].cluster['certificate-authority-data'])).toBe(port.certificateAuthority)
  expect(config.users[0].user.token).toBe(port.token)
})

test('a port that is in use is reported', async () => {
  await expect(server.listen({ port: port.port })).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    message: `port ${port.port} on 127.0.0.1 is in use by another program: stop it, or choose another port (0 means any free port)`,
  })
})

test('long answers are compressed for clients that accept it', async () => {
  const data = { text: 'x'.repeat(200_000) }
  const created = await send('/api/v1/namespaces/default/configmaps', {
    method: 'POST',
    body: JSON.stringify({ metadata: { name: 'long' }, data }),
    headers: { 'content-type': 'application/json' },
  })
  expect(created.code).toBe(201)
  expect(created.headers['content-encoding']).toBeUndefined()
  const path = '/api/v1/namespaces/default/configmaps/long'
  const { headers, body } = await send(path, { headers: { 'accept-encoding': 'gzip' } })
  expect(headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(gunzipSync(body).toString()).data).toEqual(data)
})

test('a body that is too long is refused without being read to its end', async () => {
  const { code, body } = await send('/api/v1/namespaces/default/configmaps', {
    method: 'POST',
    body: Buffer.alloc(3 * 1024 * 1024 + 1, 32),
  })
  expect(code).toBe(413)
  expect(JSON.parse(body.toString()).reason).toBe('RequestEntityTooLarge')
})

test('a watch streams, and ends on the server when the client disconnects', async () => {
  const chunks: string[] = []
  const outgoing = request(`${port.url}/api/v1/namespaces?watch=true`, {
    ca: port.certificateAuthority,
    headers: { authorization: `Bearer ${port.token}` },
  })
  const first = new Promise<void>((resolve, reject) => {
    outgoing.on('response', (incoming) => {
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk.toString())
        resolve()
      })
      incoming.on('error', () => {})
    })
    outgoing.on('error', reject)
  })
  outgoing.end()
  await first
  expect(JSON.parse(chunks.join('').split('\n')[0]!)).toMatchObject({ type: 'ADDED' })
  expect(server.registry.watches.size).toBe(1)
  outgoing.on('error', () => {})
  outgoing.destroy()
  while (server.registry.watches.size > 0) await new Promise((resolve) => setImmediate(resolve))
})

test('closing the server ends its watches and frees the port', async () => {
  const watching = send('/api/v1/namespaces?watch=true').then(
    () => 'ended',
    () => 'ended',
  )
  while (server.registry.watches.size === 0) await new Promise((resolve) => setImmediate(resolve))
  await server.close()
  expect(await watching).toBe('ended')
  const refused = new Promise((resolve) => {
    const socket = connect(port.port, '127.0.0.1')
    socket.on('connect', () => resolve('connected'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
  expect(await refused).toBe('ECONNREFUSED')
})
