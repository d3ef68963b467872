import { SimulatedClock } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { configMap, ConfigMap, failure, json, ScriptedApi } from '../../test/scripted-api.ts'
import { directTransport } from '../transport/direct-transport.ts'
import { isExpired, isNotFound } from '../requests/api-error.ts'
import type { ClientCache } from './client-cache.ts'
import { createClient, type ClientOptions } from './create-client.ts'

function clientOf(api: ScriptedApi, options: Partial<ClientOptions> = {}) {
  const clock = new SimulatedClock()
  return createClient({ transport: directTransport(api.handler, { clock }), clock, ...options })
}

const key = { namespace: 'default', name: 'a' }
const notFound = failure(404, 'NotFound', { name: 'a', kind: 'configmaps' })
const list = (names: string[], next?: string) =>
  json({
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '9', continue: next },
    items: names.map((name) => configMap(name, '1')),
  })

/** A cache that is behind: it has an object that the server no longer has. */
const stale = {
  get: async () => configMap('a', '1'),
  list: async () => [configMap('a', '1')],
  observeWrite() {},
  observeDelete() {},
} as unknown as ClientCache

describe('reading the server itself', () => {
  it('ignores a cache that is behind', async () => {
    const api = new ScriptedApi().next(notFound).next(notFound).next(list([]))
    const client = clientOf(api, { cache: stale })
    expect(await client.get(ConfigMap, key)).toBeDefined()
    expect(await client.live.get(ConfigMap, key)).toBeUndefined()
    await expect(client.live.getOrThrow(ConfigMap, key)).rejects.toSatisfy(isNotFound)
    expect(await client.list(ConfigMap)).toHaveLength(1)
    expect(await client.live.list(ConfigMap)).toEqual([])
    expect(api.requests).toHaveLength(3)
  })

  it('gives frozen objects', async () => {
    const { live } = clientOf(new ScriptedApi().otherwise(json(configMap('a', '1'))))
    expect(Object.isFrozen(await live.get(ConfigMap, key))).toBe(true)
  })
})

describe('pages', () => {
  it('come one at a time, each asked for when the one before was used', async () => {
    const api = new ScriptedApi().next(list(['a', 'b'], 'more')).next(list(['c']))
    const asked: [string, number][] = []
    for await (const page of clientOf(api, { cache: stale }).pages(ConfigMap, {
      namespace: 'default',
      labels: 'app',
      limit: 2,
    })) {
      asked.push([page.map(({ metadata }) => metadata.name).join(), api.requests.length])
      expect(Object.isFrozen(page[0])).toBe(true)
    }
    expect(asked).toEqual([
      ['a,b', 1],
      ['c', 2],
    ])
    expect(api.described()).toEqual([
      'GET /api/v1/namespaces/default/configmaps?labelSelector=app&limit=2',
      'GET /api/v1/namespaces/default/configmaps?labelSelector=app&limit=2&continue=more',
    ])
  })

  it('end with the reader', async () => {
    const api = new ScriptedApi().next(list(['a'], 'more'))
    for await (const _ of clientOf(api).pages(ConfigMap)) break
    expect(api.described()).toEqual(['GET /api/v1/configmaps?limit=500'])
  })

  it('that expire are an error: the remaining pages would show another revision', async () => {
    const api = new ScriptedApi().next(list(['a'], 'more')).next(failure(410, 'Expired'))
    const pages = clientOf(api).pages(ConfigMap)[Symbol.asyncIterator]()
    await pages.next()
    await expect(pages.next()).rejects.toSatisfy(isExpired)
  })
})

describe('an answer that is too long', () => {
  it('is an error that says what to do', async () => {
    const client = clientOf(new ScriptedApi().otherwise(list(['a'])), { maxAnswerBytes: 100 })
    await expect(client.list(ConfigMap)).rejects.toMatchObject({
      code: 'TRANSPORT_ANSWER_TOO_LARGE',
      message: expect.stringMatching(/longer than 100 bytes.*selectors, a namespace or pages/) as string,
    })
  })

  it('is not read to its end', async () => {
    let read = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        read++
        yield new Uint8Array(60)
      }
    }
    const api = new ScriptedApi().otherwise({ status: 200, headers: {}, body: endless() })
    await expect(clientOf(api, { maxAnswerBytes: 100 }).get(ConfigMap, key)).rejects.toMatchObject({
      code: 'TRANSPORT_ANSWER_TOO_LARGE',
    })
    expect(read).toBe(2)
  })
})
