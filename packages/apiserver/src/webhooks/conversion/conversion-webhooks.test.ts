import { joinBytes, SimulatedClock, type ApiHandler, type ApiRequest } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiServer } from '../../server.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const encoder = new TextEncoder()
const decoder = new TextDecoder()

let clock: SimulatedClock
let server: ApiServer
/** How many objects each review held, and which version it asked for. */
let reviews: { readonly objects: number; readonly desired: string }[]
/** A promise that the webhook awaits before it answers, and whether it fails. */
let webhook: { wait?: (names: readonly string[]) => Promise<void> | undefined; fails: boolean }

const converter: ApiHandler = async (request) => {
  const { apiVersion, request: asked } = JSON.parse(decoder.decode(request.body))
  const { uid, objects, desiredAPIVersion } = asked
  reviews.push({ objects: objects.length, desired: desiredAPIVersion })
  const pause = request.waiting?.pause()
  await webhook.wait?.(objects.map((object: any) => object.metadata.name))
  pause?.[Symbol.dispose]()
  const response = webhook.fails
    ? { uid, result: { status: 'Failure', message: 'away' } }
    : {
        uid,
        result: { status: 'Success' },
        convertedObjects: objects.map((object: any) => ({ ...object, apiVersion: desiredAPIVersion })),
      }
  const body = encoder.encode(JSON.stringify({ apiVersion, kind: 'ConversionReview', response }))
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}

async function call(method: ApiRequest['method'], path: string, body?: object) {
  const url = new URL(path, 'http://server')
  const response = await server.handler({
    method,
    path: url.pathname,
    query: url.searchParams,
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    body: body && encoder.encode(JSON.stringify(body)),
  })
  const chunks: Uint8Array[] = []
  if (response.body instanceof Uint8Array) chunks.push(response.body)
  else for await (const chunk of response.body) chunks.push(chunk)
  return { status: response.status, body: JSON.parse(decoder.decode(joinBytes(chunks))) }
}

/** Watches, and gives the events so far as `ADDED a`. */
async function watch(path: string): Promise<{ readonly events: string[]; isEnded: boolean }> {
  const url = new URL(path, 'http://server')
  url.searchParams.set('watch', 'true')
  const { body } = await server.handler({
    method: 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: {},
  })
  const watched = { events: [] as string[], isEnded: false }
  void (async () => {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      for (const line of decoder.decode(chunk).trim().split('\n')) {
        const { type, object } = JSON.parse(line)
        watched.events.push(`${type} ${object.metadata.name ?? object.message}`)
      }
    }
    watched.isEnded = true
  })()
  await clock.settle()
  return watched
}

const versions = (storage: string) =>
  ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === storage,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  }))
const things = (version: string, name = '') => `/apis/example.com/${version}/namespaces/team/things${name}`
const thing = (version: string, name: string, more: object = {}) => ({
  apiVersion: `example.com/${version}`,
  kind: 'Thing',
  metadata: { name },
  ...more,
})

beforeEach(async () => {
  clock = new SimulatedClock()
  reviews = []
  webhook = { fails: false }
  server = await ApiServer.start({
    clock,
    webhookHandlers: (target) => ('service' in target ? converter : undefined),
  })
  await call('POST', '/api/v1/namespaces', { metadata: { name: 'team' } })
  const service = { namespace: 'hooks', name: 'convert', path: 'things' }
  await call('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: versions('v1'),
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { service } },
      },
    },
  })
  await clock.settle()
})
afterEach(() => server.close())

describe('a list through another version', () => {
  it('is converted by one review for each stored version, and not again', async () => {
    for (const name of ['a', 'b', 'c']) await call('POST', things('v1'), thing('v1', name))
    await call('PATCH', `${DEFINITIONS}/things.example.com`, { spec: { versions: versions('v2') } })
    for (const name of ['d', 'e']) await call('POST', things('v2'), thing('v2', name))
    expect(reviews).toEqual([])
    for (let round = 0; round < 2; round++) {
      expect((await call('GET', things('v2'))).body.items.map((item: any) => item.apiVersion)).toEqual(
        Array(5).fill('example.com/v2'),
      )
      expect((await call('GET', things('v1'))).body.items).toHaveLength(5)
    }
    expect(reviews).toEqual([
      { objects: 3, desired: 'example.com/v2' },
      { objects: 2, desired: 'example.com/v1' },
    ])
  })

  it('takes several reviews where it is long', async () => {
    const data = 'x'.repeat(400_000)
    for (let index = 0; index < 6; index++) {
      await call('POST', things('v1'), thing('v1', `big-${index}`, { data }))
    }
    expect((await call('GET', things('v2'))).body.items).toHaveLength(6)
    expect(reviews.map(({ objects }) => objects)).toEqual([5, 1])
  })

  it('converts the objects of its piece alone', async () => {
    for (const name of ['a', 'b', 'c']) await call('POST', things('v1'), thing('v1', name))
    const { body } = await call('GET', things('v2', '?limit=2'))
    expect(body.items.map((item: any) => item.metadata.name)).toEqual(['a', 'b'])
    expect(reviews).toEqual([{ objects: 2, desired: 'example.com/v2' }])
  })
})

describe('requests through the stored version', () => {
  it('call no webhook', async () => {
    await call('POST', things('v1'), thing('v1', 'a'))
    await call('PATCH', things('v1', '/a'), { metadata: { labels: { a: 'b' } } })
    await call('GET', things('v1', '/a'))
    await call('GET', things('v1'))
    const { events } = await watch(things('v1'))
    await call('DELETE', things('v1', '/a'))
    await clock.settle()
    expect(events).toEqual(['ADDED a', 'DELETED a'])
    expect(reviews).toEqual([])
  })
})

describe('a slow converter', () => {
  const asleep = (names: readonly string[]) => (names.includes('slow') ? clock.sleep(60_000) : undefined)

  it('does not delay other requests', async () => {
    await call('POST', things('v1'), thing('v1', 'slow'))
    await call('POST', things('v1'), thing('v1', 'quick'))
    webhook.wait = asleep
    const slow = call('GET', things('v2', '/slow'))
    expect((await call('GET', things('v2', '/quick'))).status).toBe(200)
    expect((await call('GET', things('v1', '/slow'))).status).toBe(200)
    expect((await call('POST', '/api/v1/namespaces', { metadata: { name: 'other' } })).status).toBe(201)
    await clock.advance('31s')
    await slow
  })

  it('fails its request after 30 seconds', async () => {
    await call('POST', things('v1'), thing('v1', 'slow'))
    webhook.wait = asleep
    const slow = call('GET', things('v2', '/slow'))
    await clock.advance('31s')
    expect(await slow).toMatchObject({
      status: 500,
      body: {
        message:
          'conversion webhook for example.com/v1, Kind=Thing failed: Post "https://convert.hooks.svc:443/things?timeout=30s": context deadline exceeded',
      },
    })
  })
})

describe('watches of another version', () => {
  it('share the conversion of a change', async () => {
    const watches = await Promise.all(Array.from({ length: 20 }, () => watch(things('v2'))))
    await call('POST', things('v1'), thing('v1', 'a'))
    await clock.settle()
    for (const { events } of watches) expect(events).toEqual(['ADDED a'])
    expect(reviews).toEqual([{ objects: 1, desired: 'example.com/v2' }])
  })

  it('lose nothing while the webhook is away for less than half a minute', async () => {
    const watched = await watch(things('v2'))
    webhook.fails = true
    await call('POST', things('v1'), thing('v1', 'a'))
    await call('POST', things('v1'), thing('v1', 'b'))
    await clock.advance('25s')
    expect(watched.events).toEqual([])
    webhook.fails = false
    await clock.advance('2s')
    expect(watched).toMatchObject({ events: ['ADDED a', 'ADDED b'], isEnded: false })
  })

  it('end when the webhook is away for longer', async () => {
    await call('POST', things('v1'), thing('v1', 'a'))
    const watched = await watch(things('v2'))
    webhook.fails = true
    await call('POST', things('v1'), thing('v1', 'b'))
    await clock.advance('29s')
    expect(watched.isEnded).toBe(false)
    await clock.advance('3s')
    expect(watched).toEqual({ events: ['ADDED a'], isEnded: true })
    expect(reviews.length).toBeLessThan(35)
  })

  it('report an error in their initial state', async () => {
    await call('POST', things('v1'), thing('v1', 'a'))
    webhook.fails = true
    expect(await watch(things('v2'))).toEqual({
      events: ['ERROR conversion webhook for example.com/v1, Kind=Thing failed: away'],
      isEnded: true,
    })
  })
})

describe('objects of all versions', () => {
  beforeEach(async () => {
    await call('POST', things('v1'), thing('v1', 'of-v1'))
    await call(
      'POST',
      things('v1'),
      thing('v1', 'held', { metadata: { name: 'held', finalizers: ['a.example.com/b'] } }),
    )
    await call('PATCH', `${DEFINITIONS}/things.example.com`, { spec: { versions: versions('v2') } })
    await call('POST', things('v2'), thing('v2', 'of-v2'))
    webhook.fails = true
  })

  it('are deleted with their definition without conversion', async () => {
    await call('DELETE', `${DEFINITIONS}/things.example.com`)
    await clock.settle()
    const left = await call('GET', things('v1'))
    expect(left.body.items.map((item: any) => item.metadata.name)).toEqual(['held'])
    webhook.fails = false
    await call('PATCH', things('v2', '/held'), { metadata: { finalizers: null } })
    await clock.settle()
    expect((await call('GET', `${DEFINITIONS}/things.example.com`)).status).toBe(404)
  })

  it('are deleted with their namespace without conversion', async () => {
    await call('DELETE', '/api/v1/namespaces/team')
    await clock.settle()
    expect((await call('GET', things('v1', '/of-v1'))).status).toBe(404)
    expect((await call('GET', things('v2', '/of-v2'))).status).toBe(404)
  })
})
