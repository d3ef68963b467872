import { conversion, customResourceDefinition, defineKind, schema as s, type ApiError } from 'homeostat'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { serveWebhooks, type ServedWebhooks } from './served-webhooks.ts'

const GROUP = `v${crypto.randomUUID().slice(0, 8)}.example.com`
const names = { group: GROUP, kind: 'Shelf', plural: 'shelves' } as const
const status = s.object({ books: s.integer() })

const ShelfV1 = defineKind({
  ...names,
  version: 'v1',
  spec: s.object({ place: s.string() }),
  status,
})
const ShelfV2 = defineKind({
  ...names,
  version: 'v2',
  spec: s.object({ room: s.string(), wall: s.string(), color: s.string().optional() }),
  status,
})

const shelves = conversion(ShelfV2)
  .version(ShelfV1)
  .converts({
    toStored({ spec, status }) {
      const [room, wall] = spec.place.split('/')
      if (room === undefined || wall === undefined) throw new Error('spec.place needs a room and a wall')
      return { spec: { room, wall }, status }
    },
    fromStored: ({ spec: { room, wall }, status }) => ({ spec: { place: `${room}/${wall}` }, status }),
    keeps: { stored: ['spec.color'] },
  })

let server: TestServer
let served: ServedWebhooks
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

beforeAll(async () => {
  server = await startTestServer()
  served = await serveWebhooks([shelves], server.transport)
  const { url, caBundle } = served.clientConfig
  const definition = customResourceDefinition(shelves.kinds, {
    stored: 'v2',
    conversion: { url: `${url}/convert`, caBundle },
  })
  const created = await server.call('POST', DEFINITIONS, { body: definition })
  if (created.status !== 201) throw new Error(created.body.message)
  await server.until('both versions are served', async () => {
    const answers = await Promise.all(['v1', 'v2'].map((version) => server.call('GET', path(version))))
    return answers.every((answer) => answer.status === 200)
  })
  // A real server serves a version a moment before it takes objects.
  await server.until('the first object is stored', async () => {
    const { status } = await server.call('POST', path('v1'), { body: shelfV1('first', 'hall/east') })
    return status === 201
  })
})
afterAll(async () => {
  await server?.call('DELETE', path('v2'))
  await server?.call('DELETE', `${DEFINITIONS}/shelves.${GROUP}`)
  await served?.[Symbol.asyncDispose]()
  await server?.close()
})

const path = (version: string, rest = '') =>
  `/apis/${GROUP}/${version}/namespaces/${server.namespace}/shelves${rest}`

function shelfV1(name: string, place: string): object {
  return { apiVersion: `${GROUP}/v1`, kind: 'Shelf', metadata: { name }, spec: { place } }
}

function shelfV2(name: string, spec: object): object {
  return { apiVersion: `${GROUP}/v2`, kind: 'Shelf', metadata: { name }, spec }
}

async function specs(name: string): Promise<unknown[]> {
  const answers = await Promise.all(
    ['v1', 'v2'].map((version) => server.call('GET', path(version, `/${name}`))),
  )
  return answers.map(({ body }) => body.spec)
}

describe('a conversion that a manager serves over TLS', () => {
  it('serves an object in both versions, whichever created it', async () => {
    const created = await server.call('POST', path('v1'), { body: shelfV1('by-v1', 'study/north') })
    expect([created.status, created.body.apiVersion, created.body.spec]).toEqual([
      201,
      `${GROUP}/v1`,
      { place: 'study/north' },
    ])
    expect(await specs('by-v1')).toEqual([{ place: 'study/north' }, { room: 'study', wall: 'north' }])
    await server.call('POST', path('v2'), { body: shelfV2('by-v2', { room: 'attic', wall: 'west' }) })
    expect(await specs('by-v2')).toEqual([{ place: 'attic/west' }, { room: 'attic', wall: 'west' }])
  })

  it('converts a list', async () => {
    const { body } = await server.call('GET', path('v1'))
    expect(body.kind).toBe('ShelfList')
    for (const item of body.items) {
      expect(item).toMatchObject({ apiVersion: `${GROUP}/v1`, spec: { place: expect.any(String) as string } })
    }
    expect(body.items.length).toBeGreaterThanOrEqual(2)
  })

  it('keeps what the other version cannot hold, through its updates', async () => {
    await server.call('POST', path('v2'), {
      body: shelfV2('blue', { room: 'attic', wall: 'west', color: 'blue' }),
    })
    const { body } = await server.call('GET', path('v1', '/blue'))
    const updated = await server.call('PUT', path('v1', '/blue'), {
      body: { ...body, spec: { place: 'cellar/west' } },
    })
    expect([updated.status, updated.body.spec]).toEqual([200, { place: 'cellar/west' }])
    const [, stored] = await specs('blue')
    expect(stored).toEqual({ room: 'cellar', wall: 'west', color: 'blue' })
  })

  it('takes patches and applies of either version', async () => {
    await server.call('POST', path('v2'), { body: shelfV2('patched', { room: 'a', wall: 'b' }) })
    const merge = { body: { spec: { place: 'c/d' } }, contentType: 'application/merge-patch+json' }
    expect((await server.call('PATCH', path('v1', '/patched'), merge)).status).toBe(200)
    const json = {
      body: [{ op: 'replace', path: '/spec/wall', value: 'e' }],
      contentType: 'application/json-patch+json',
    }
    expect((await server.call('PATCH', path('v2', '/patched'), json)).status).toBe(200)
    expect(await specs('patched')).toEqual([{ place: 'c/e' }, { room: 'c', wall: 'e' }])
    const apply = { body: shelfV1('applied', 'f/g'), contentType: 'application/apply-patch+yaml' }
    expect((await server.call('PATCH', path('v1', '/applied?fieldManager=a'), apply)).status).toBe(201)
    expect(await specs('applied')).toEqual([{ place: 'f/g' }, { room: 'f', wall: 'g' }])
  })

  it('converts the status', async () => {
    await server.call('POST', path('v1'), { body: shelfV1('counted', 'a/b') })
    const merge = { body: { status: { books: 7 } }, contentType: 'application/merge-patch+json' }
    const patched = await server.call('PATCH', path('v1', '/counted/status'), merge)
    expect([patched.status, patched.body.status]).toEqual([200, { books: 7 }])
    expect((await server.call('GET', path('v2', '/counted'))).body.status).toEqual({ books: 7 })
  })

  it('refuses what the converter refuses, with its words', async () => {
    const creating = server.client.create(ShelfV1, {
      metadata: { namespace: server.namespace, name: 'nowhere' },
      spec: { place: 'nowhere' },
    })
    const error = await creating.then(
      () => undefined,
      (thrown: ApiError) => thrown,
    )
    expect(error?.status).toMatchObject({
      code: 500,
      message: expect.stringContaining('spec.place needs a room and a wall') as string,
    })
  })

  it('shows in a watch of one version what the other does', async () => {
    const { body } = await server.call('GET', path('v1'))
    await server.call('POST', path('v2'), { body: shelfV2('seen', { room: 'a', wall: 'b' }) })
    const merge = { body: { spec: { wall: 'c' } }, contentType: 'application/merge-patch+json' }
    await server.call('PATCH', path('v2', '/seen'), merge)
    await server.call('DELETE', path('v2', '/seen'))
    const seen: unknown[] = []
    const { resourceVersion } = body.metadata
    const stop = new AbortController()
    const response = await server.transport.send({
      method: 'GET',
      path: path('v1'),
      query: new URLSearchParams({ watch: 'true', resourceVersion }),
      headers: { accept: 'application/json' },
      signal: stop.signal,
    })
    let text = ''
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk)
      if (text.split('\n').length > 3) break
    }
    stop.abort()
    for (const line of text.trim().split('\n')) {
      const { type, object } = JSON.parse(line)
      seen.push([type, object.apiVersion, object.metadata.name, object.spec])
    }
    const version = `${GROUP}/v1`
    expect(seen).toEqual([
      ['ADDED', version, 'seen', { place: 'a/b' }],
      ['MODIFIED', version, 'seen', { place: 'a/c' }],
      ['DELETED', version, 'seen', { place: 'a/c' }],
    ])
  })

  it('deletes by either version', async () => {
    await server.call('POST', path('v1'), { body: shelfV1('gone', 'a/b') })
    expect((await server.call('DELETE', path('v2', '/gone'))).status).toBe(200)
    expect((await server.call('GET', path('v1', '/gone'))).status).toBe(404)
  })
})
