import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import type { ApiResponse } from '@homeostat/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiServer } from '../server.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const COUNT = 400
/** So long that the list has about 2 MB. */
const DATA = 'x'.repeat(5_000)
const MEGABYTE = 1024 * 1024

let server: ApiServer

beforeEach(async () => {
  server = await ApiServer.start()
  for (let index = 0; index < COUNT; index++) {
    const metadata = { name: `map-${String(index).padStart(4, '0')}` }
    const { status } = await ask('POST', CONFIG_MAPS, { metadata, data: { text: DATA } })
    if (status !== 201) throw new Error(`${metadata.name} was answered with ${status}`)
  }
})
afterEach(() => server.close())

function ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<ApiResponse> {
  const [pathname = '', query] = path.split('?')
  return server.handler({
    method,
    path: pathname,
    query: new URLSearchParams(query),
    headers: { 'content-type': 'application/json' },
    ...(body && { body: new TextEncoder().encode(JSON.stringify(body)) }),
  })
}

/** The chunks of an answer; a single one where it was encoded at once. */
async function chunksOf({ body }: ApiResponse): Promise<Uint8Array[]> {
  if (body instanceof Uint8Array) return [body]
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return chunks
}

async function listed(response: ApiResponse): Promise<{ items: { metadata: { name: string } }[] }> {
  return JSON.parse(Buffer.concat(await chunksOf(response)).toString()) as {
    items: { metadata: { name: string } }[]
  }
}

/** The value of a metric for lists of ConfigMaps. */
async function metric(name: string): Promise<number> {
  const lines = Buffer.concat(await chunksOf(await ask('GET', '/metrics')))
    .toString()
    .split('\n')
  const line = lines.find(
    (one) => one.startsWith(`${name}{`) && one.includes('"configmaps"') && one.includes('verb="LIST"'),
  )
  return Number(line?.split(' ').at(-1) ?? 0)
}

test('a long list is encoded in chunks, and is the same as its pages', async () => {
  const response = await ask('GET', CONFIG_MAPS)
  expect(response.headers['content-type']).toBe('application/json')
  const chunks = await chunksOf(response)
  expect(chunks.length).toBeGreaterThan(4)
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(MEGABYTE)
  const { items } = JSON.parse(Buffer.concat(chunks).toString())
  const first = await listed(await ask('GET', `${CONFIG_MAPS}?limit=100`))
  expect(items.slice(0, 100)).toEqual(first.items)
  expect(items).toHaveLength(COUNT)
})

test('a short list is encoded at once', async () => {
  expect((await ask('GET', `${CONFIG_MAPS}?limit=100`)).body).toBeInstanceOf(Uint8Array)
})

test('a long list shows the objects as they were when it was made', async () => {
  const response = await ask('GET', CONFIG_MAPS)
  const { status } = await ask('DELETE', `${CONFIG_MAPS}/map-${COUNT - 1}`.replace('map-', 'map-0'))
  expect(status).toBe(200)
  const { items } = await listed(response)
  expect(items.at(-1)?.metadata.name).toBe(`map-0${COUNT - 1}`)
})

test('a long list is counted when it has been read, with its size', async () => {
  const response = await ask('GET', CONFIG_MAPS)
  expect(await metric('apiserver_request_total')).toBe(0)
  const length = (await chunksOf(response)).reduce((sum, chunk) => sum + chunk.length, 0)
  expect(await metric('apiserver_request_total')).toBe(1)
  expect(await metric('apiserver_response_sizes_sum')).toBe(length)
})

test.each([
  ['as it is', {}, undefined],
  ['compressed', { 'accept-encoding': 'gzip' }, 'gzip'],
])('a long list is sent through a port %s', async (_, headers, encoding) => {
  const port = await server.listen()
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      ca: port.certificateAuthority,
      headers: { authorization: `Bearer ${port.token}`, ...headers },
    }
    request(`${port.url}${CONFIG_MAPS}`, options, resolve).on('error', reject).end()
  })
  expect(incoming.headers['content-encoding']).toBe(encoding)
  const { items } = JSON.parse(await text(encoding ? incoming.pipe(createGunzip()) : incoming))
  expect(items).toHaveLength(COUNT)
})

test('a client that leaves in the middle of a long list disturbs no other', async () => {
  const port = await server.listen()
  const options = { ca: port.certificateAuthority, headers: { authorization: `Bearer ${port.token}` } }
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(`${port.url}${CONFIG_MAPS}`, options, (incoming) => {
      incoming.once('data', () => outgoing.destroy())
      incoming.once('close', resolve)
      incoming.on('error', () => undefined)
    })
    outgoing.on('error', reject).end()
  })
  expect((await listed(await ask('GET', CONFIG_MAPS))).items).toHaveLength(COUNT)
})
