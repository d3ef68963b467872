import type { AnyKind, ApiResponse } from '@homeostat/api'
import { describe, expect, it, vi } from 'vitest'
import {
  configMap,
  ConfigMap,
  failure,
  json,
  plain,
  ScriptedApi,
  ScriptedStream,
  Widget,
} from '../../test/scripted-api.ts'
import { failureOf, scriptedClient } from '../../test/scripted-client.ts'
import { silentLogger } from '../telemetry/create-logger.ts'
import type { LogFields } from '../telemetry/logger.ts'
import {
  ApiError,
  isAlreadyExists,
  isApplyConflict,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isKindNotServed,
  isNotFound,
  isTooManyRequests,
} from '../requests/api-error.ts'
import { metadataOnly } from '../requests/metadata-only.ts'
import type { Client } from './interface/client.ts'
import { mergeFrom } from './merge-from.ts'

const key = { namespace: 'default', name: 'a' }
const notFound = failure(404, 'NotFound', { name: 'a', kind: 'configmaps' }, {}, 'configmaps "a" not found')

describe('paths', () => {
  const Cluster = { ...Widget, scope: 'Cluster' as const }

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['GET /api/v1/namespaces/default/configmaps/a', (client) => client.get(ConfigMap, key)],
    ['GET /apis/example.com/v1/namespaces/default/widgets/a', (client) => client.get(Widget, key)],
    ['GET /apis/example.com/v1/widgets/a', (client) => client.get(Cluster, { name: 'a' })],
    ['GET /api/v1/configmaps?limit=500', (client) => client.list(ConfigMap)],
    [
      'GET /api/v1/namespaces/one/configmaps?labelSelector=app%3Dweb&fieldSelector=metadata.name%3Dx&limit=500',
      (client) =>
        client.list(ConfigMap, {
          namespace: 'one',
          labels: { app: 'web' },
          fields: { 'metadata.name': 'x' },
        }),
    ],
    [
      'POST /api/v1/namespaces/default/configmaps?fieldManager=me',
      (client) => client.create(ConfigMap, { metadata: { name: 'a', namespace: 'default' } }),
    ],
    [
      'PUT /api/v1/namespaces/default/configmaps/a?fieldManager=other&dryRun=All',
      (client) => client.update(ConfigMap, configMap('a', '5'), { fieldManager: 'other', dryRun: true }),
    ],
    [
      'PATCH /api/v1/namespaces/default/configmaps/a?fieldManager=me',
      (client) => client.patch(ConfigMap, key, { type: 'merge', body: { data: {} } }),
    ],
    ['DELETE /api/v1/namespaces/default/configmaps/a', (client) => client.delete(ConfigMap, key)],
    [
      'PUT /apis/example.com/v1/namespaces/default/widgets/a/status?fieldManager=me',
      (client) => client.status.update(Widget, { metadata: key }),
    ],
    [
      'PATCH /apis/example.com/v1/namespaces/default/widgets/a/status?fieldManager=me',
      (client) => client.status.patch(Widget, key, { type: 'json', body: [{ op: 'remove', path: '/a' }] }),
    ],
    [
      'DELETE /api/v1/namespaces/one/configmaps?labelSelector=app',
      (client) => client.deleteAllOf(ConfigMap, { namespace: 'one', labels: 'app' }),
    ],
  ])('%s', async (path, act) => {
    const api = new ScriptedApi().next(json({ ...configMap('a', '5'), items: [] }))
    await act(scriptedClient(api).client)
    expect(api.described()).toEqual([path])
  })

  it('escape special characters of a name', async () => {
    const api = new ScriptedApi().next(notFound)
    await scriptedClient(api).client.get(ConfigMap, { namespace: 'default', name: '../secrets/x' })
    expect(api.requests[0]!.path).toBe('/api/v1/namespaces/default/configmaps/..%2Fsecrets%2Fx')
  })

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['a name that is empty', (client) => client.delete(ConfigMap, { namespace: 'default', name: '' })],
    [
      'a name that leads elsewhere',
      (client) => client.delete(ConfigMap, { namespace: 'default', name: '..' }),
    ],
    ['no namespace', (client) => client.get(ConfigMap, { name: 'a' })],
    ['no namespace to create in', (client) => client.create(ConfigMap, { metadata: { name: 'a' } })],
    ['a namespace for what has none', (client) => client.get(Cluster, key)],
  ])('are not made of %s: nothing is sent', async (_, act) => {
    const api = new ScriptedApi()
    expect(await failureOf(act(scriptedClient(api).client))).toMatchObject({ code: 'CLIENT_KEY_INVALID' })
    expect(api.requests).toEqual([])
  })

  it('are not made for an object of another kind', async () => {
    const api = new ScriptedApi()
    const error = await failureOf(scriptedClient(api).client.create(Widget, configMap('a', '5')))
    expect(error).toMatchObject({ code: 'CLIENT_KIND_MISMATCH' })
    expect(error.message).toContain('a ConfigMap of v1 was given as a Widget of example.com/v1')
  })

  it.each<[string, (client: Client, kind: AnyKind) => Promise<unknown>]>([
    ['create', (client, kind) => client.create(kind, { metadata: key })],
    ['update', (client, kind) => client.update(kind, { metadata: key })],
    ['apply', (client, kind) => client.apply(kind, { metadata: key })],
    ['status.update', (client, kind) => client.status.update(kind, { metadata: key })],
    ['status.apply', (client, kind) => client.status.apply(kind, key, { phase: 'Ready' })],
  ])('are not made for %s by metadata alone, which would remove the rest of the object', async (_, write) => {
    const api = new ScriptedApi()
    const error = await failureOf(write(scriptedClient(api).client, metadataOnly(Widget)))
    expect(error).toMatchObject({ code: 'CLIENT_KIND_METADATA_ONLY' })
    expect(error.message).toBe(
      'metadataOnly(Widget) is for reads and watches: a write would remove all of the object but its metadata. Write with Widget itself.',
    )
    expect(api.requests).toEqual([])
  })
})

describe('get', () => {
  it('gives the object, frozen', async () => {
    const api = new ScriptedApi().next(json(configMap('a', '5', { data: { x: '1' } })))
    const object = await scriptedClient(api).client.get(ConfigMap, key)
    expect(object).toMatchObject({ metadata: { name: 'a' }, data: { x: '1' } })
    expect(Object.isFrozen(object!['data'])).toBe(true)
  })

  it('gives undefined when there is no such object', async () => {
    expect(await scriptedClient(new ScriptedApi().next(notFound)).client.get(ConfigMap, key)).toBeUndefined()
  })

  it.each<[string, ApiResponse]>([
    ['a plain page', plain('404 page not found', 404)],
    [
      'a Status that names no object',
      failure(404, 'NotFound', {}, {}, 'the server could not find the requested resource'),
    ],
  ])('throws when the server does not know the kind: %s', async (_, answer) => {
    const error = await failureOf(scriptedClient(new ScriptedApi().next(answer)).client.get(Widget, key))
    expect(isKindNotServed(error)).toBe(true)
    expect(isNotFound(error)).toBe(false)
    expect(error.message).toBe(
      'get of widgets.example.com default/a failed: the server could not find the requested resource (404). ' +
        'The server does not serve Widget in example.com/v1: install its CustomResourceDefinition widgets.example.com.',
    )
  })

  it('throws where absence is an error', async () => {
    const error = await failureOf(
      scriptedClient(new ScriptedApi().next(notFound)).client.getOrThrow(ConfigMap, key),
    )
    expect(isNotFound(error)).toBe(true)
    expect(error.message).toContain('get of configmaps default/a failed')
  })

  it('of an answer that is not JSON says so', async () => {
    const api = new ScriptedApi().next(plain('<html>login</html>', 200))
    expect(await failureOf(scriptedClient(api).client.get(ConfigMap, key))).toMatchObject({
      code: 'API_ANSWER_INVALID',
    })
  })
})

describe('list', () => {
  const page = (names: string[], next?: string) =>
    json({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '9', continue: next },
      items: names.map((name) => ({ metadata: configMap(name, '5').metadata })),
    })

  it('gathers all pages and gives the items the kind that the server leaves out', async () => {
    const api = new ScriptedApi().next(page(['a', 'b'], 'more')).next(page(['c']))
    const objects = await scriptedClient(api).client.list(ConfigMap)
    expect(objects.map((object) => object.metadata.name)).toEqual(['a', 'b', 'c'])
    expect(objects[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' })
    expect(api.last()).toContain('continue=more')
  })

  it('of a first page that has expired already is an error', async () => {
    const api = new ScriptedApi().next(failure(410, 'Expired'))
    expect(isExpired(await failureOf(scriptedClient(api).client.list(ConfigMap)))).toBe(true)
  })
})

describe('failures', () => {
  const write = (answer: ApiResponse) =>
    failureOf(scriptedClient(new ScriptedApi().next(answer)).client.update(ConfigMap, configMap('a', '5')))

  it('carry the Status, and name the verb, the object and the remedy', async () => {
    const error = await write(failure(409, 'Conflict', { name: 'a' }, {}, 'the object has been modified'))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'API_CONFLICT', status: { code: 409, reason: 'Conflict' } })
    expect(error.message).toBe(
      'update of configmaps default/a failed: the object has been modified (409). The object has changed since it was read: read it again and repeat the change.',
    )
  })

  it('of a lost race differ from those of a contested apply', async () => {
    const lost = await write(failure(409, 'Conflict', { name: 'a' }))
    const contested = await write(
      failure(409, 'Conflict', { causes: [{ reason: 'FieldManagerConflict', field: '.data.x' }] }),
    )
    expect([isConflict(lost), isApplyConflict(lost)]).toEqual([true, false])
    expect([isConflict(contested), isApplyConflict(contested)]).toEqual([false, true])
    expect(contested.message).toContain('without { force: false }')
  })

  it.each<[string, (error: unknown) => boolean, ApiResponse, string]>([
    ['already exists', isAlreadyExists, failure(409, 'AlreadyExists', { name: 'a' }), 'API_ALREADY_EXISTS'],
    ['invalid', isInvalid, failure(422, 'Invalid', { name: 'a' }), 'API_INVALID'],
    ['forbidden', isForbidden, failure(403, 'Forbidden', { name: 'a' }), 'API_FORBIDDEN'],
    ['expired', isExpired, failure(410, 'Gone'), 'API_GONE'],
    ['too many requests', isTooManyRequests, failure(429, 'TooManyRequests'), 'API_TOO_MANY_REQUESTS'],
    ['not found', isNotFound, notFound, 'API_NOT_FOUND'],
  ])('%s', async (_, predicate, answer, code) => {
    const error = await write(answer)
    expect(predicate(error)).toBe(true)
    expect(error.code).toBe(code)
    expect(predicate(new Error('another'))).toBe(false)
  })

  it('of permission name the rule that is missing', async () => {
    const error = await write(failure(403, 'Forbidden', { name: 'a' }, {}, 'User "x" cannot update resource'))
    expect(error.message).toContain('Grant update on configmaps to this user with a Role or ClusterRole')
  })

  it('of a server that is not an API server keep its text', async () => {
    const error = await write(plain('upstream broke', 502))
    expect(error.message).toContain('upstream broke (502)')
  })
})

describe('a server that is busy', () => {
  it('is asked again after its Retry-After, by the clock', async () => {
    const api = new ScriptedApi()
      .next(failure(429, 'TooManyRequests', {}, { 'retry-after': '2' }))
      .next(failure(503, 'ServiceUnavailable', {}, { 'retry-after': '1' }))
      .next(json(configMap('a', '5')))
    const { clock, client } = scriptedClient(api)
    const object = client.get(ConfigMap, key)
    await clock.advance('2999ms')
    expect(api.requests).toHaveLength(2)
    await clock.advance('1ms')
    expect(await object).toMatchObject({ metadata: { name: 'a' } })
  })

  it('is not asked for ever', async () => {
    const api = new ScriptedApi().otherwise(failure(429, 'TooManyRequests', {}, { 'retry-after': '1' }))
    const { clock, client } = scriptedClient(api)
    const outcome = failureOf(client.get(ConfigMap, key))
    await clock.advance('1m')
    expect(isTooManyRequests(await outcome)).toBe(true)
    expect((await outcome).status.details?.retryAfterSeconds).toBe(1)
    expect(api.requests).toHaveLength(6)
  })

  it('is not asked again without a Retry-After', async () => {
    const api = new ScriptedApi().next(failure(503, 'ServiceUnavailable'))
    await failureOf(scriptedClient(api).client.get(ConfigMap, key))
    expect(api.requests).toHaveLength(1)
  })

  it('is not asked again after an abort', async () => {
    const api = new ScriptedApi().next(failure(429, 'TooManyRequests', {}, { 'retry-after': '5' }))
    const { clock, client } = scriptedClient(api)
    const abort = new AbortController()
    const outcome = failureOf(client.get(ConfigMap, key, { signal: abort.signal }))
    await clock.settle()
    abort.abort(new Error('enough'))
    expect(await outcome).toMatchObject({ message: 'enough' })
    expect(clock.nextDue()).toBeUndefined()
  })
})

describe('writes', () => {
  it('name the kind of the object, and contain no undefined fields', async () => {
    const api = new ScriptedApi().next(json(configMap('a', '5'), 201))
    await scriptedClient(api).client.create(ConfigMap, {
      metadata: { name: 'a', namespace: 'default' },
      data: { x: undefined },
    })
    expect(api.bodyOf(0)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
      data: {},
    })
    expect(api.requests[0]!.headers['content-type']).toBe('application/json')
  })

  it.each([
    ['merge', 'application/merge-patch+json'],
    ['json', 'application/json-patch+json'],
    ['strategic', 'application/strategic-merge-patch+json'],
  ] as const)('by a %s patch carry its content type', async (type, contentType) => {
    const api = new ScriptedApi().next(json(configMap('a', '5')))
    const body = (type === 'json' ? [{ op: 'remove', path: '/data' }] : { data: null }) as never
    await scriptedClient(api).client.patch(ConfigMap, key, { type, body })
    expect(api.requests[0]!.headers['content-type']).toBe(contentType)
  })

  it('by an empty patch are not sent', async () => {
    const api = new ScriptedApi().next(json(configMap('a', '5')))
    const before = configMap('a', '5', { data: { x: '1' } })
    await scriptedClient(api).client.patch(ConfigMap, key, mergeFrom(before, structuredClone(before)))
    expect(api.described()).toEqual(['GET /api/v1/namespaces/default/configmaps/a'])
  })

  it('are not sent when beforeWrite throws; reads are', async () => {
    const api = new ScriptedApi().next(json(configMap('a', '5')))
    const beforeWrite = vi.fn<() => void>(() => {
      throw new Error('no longer the leader')
    })
    const { client } = scriptedClient(api, { beforeWrite })
    await expect(client.delete(ConfigMap, key)).rejects.toThrow('no longer the leader')
    await expect(client.create(ConfigMap, { metadata: key })).rejects.toThrow('no longer the leader')
    expect(api.requests).toEqual([])
    await client.get(ConfigMap, key)
  })

  it('and reads end with the signal of the client, and with their own', async () => {
    const own = new AbortController()
    const clients = new AbortController()
    const { client } = scriptedClient(
      new ScriptedApi().otherwise(() => new Promise(() => {}) as never),
      { signal: clients.signal },
    )
    const first = failureOf(client.get(ConfigMap, key, { signal: own.signal }))
    const second = failureOf(client.get(ConfigMap, key))
    own.abort(new Error('own'))
    expect(await first).toMatchObject({ message: 'own' })
    clients.abort(new Error('all'))
    expect(await second).toMatchObject({ message: 'all' })
    expect(await failureOf(client.get(ConfigMap, key))).toMatchObject({ message: 'all' })
  })
})

describe('delete', () => {
  const success = (uid?: string) =>
    json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 200, details: { uid } })

  it('answers whether there was one', async () => {
    const { client } = scriptedClient(new ScriptedApi().next(success()).next(notFound))
    expect(await client.delete(ConfigMap, key)).toBe(true)
    expect(await client.delete(ConfigMap, key)).toBe(false)
  })

  it('of an unknown kind throws', async () => {
    const { client } = scriptedClient(new ScriptedApi().next(plain('404 page not found', 404)))
    expect(isKindNotServed(await failureOf(client.delete(Widget, key)))).toBe(true)
  })

  it('carries its options', async () => {
    const api = new ScriptedApi().next(success())
    await scriptedClient(api).client.delete(ConfigMap, key, {
      propagation: 'Foreground',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u' },
      dryRun: true,
    })
    expect(api.bodyOf(0)).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u' },
      dryRun: ['All'],
    })
  })

  it('of all objects in all namespaces goes through the namespaces that have some', async () => {
    const items = [configMap('a', '1', { namespace: 'one' }), configMap('b', '2', { namespace: 'two' })]
    const api = new ScriptedApi()
      .next(json({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '3' }, items }))
      .otherwise(success())
    await scriptedClient(api).client.deleteAllOf(ConfigMap, { labels: { app: 'web' } })
    expect(api.described().slice(1)).toEqual([
      'DELETE /api/v1/namespaces/one/configmaps?labelSelector=app%3Dweb',
      'DELETE /api/v1/namespaces/two/configmaps?labelSelector=app%3Dweb',
    ])
  })
})

describe('warnings of the server', () => {
  it('are logged once each', async () => {
    const warn = vi.fn<(...line: unknown[]) => void>()
    const header = { warning: '299 - "v1beta1 is \\"old\\"", 299 - "unknown field, \\"spec.x\\""' }
    const api = new ScriptedApi().otherwise(json(configMap('a', '5'), 200, header))
    const { client } = scriptedClient(api, { logger: { ...silentLogger, warn } })
    await client.get(ConfigMap, key)
    await client.get(ConfigMap, key)
    expect(warn.mock.calls.map(([fields]) => (fields as LogFields)['warning'])).toEqual([
      'v1beta1 is "old"',
      'unknown field, "spec.x"',
    ])
  })
})

it('an answer that breaks off is a failure, not an object', async () => {
  const stream = new ScriptedStream().text('{"kind":"ConfigMap"').end()
  const { client } = scriptedClient(new ScriptedApi().next(stream.answer()))
  expect(await failureOf(client.get(ConfigMap, key))).toMatchObject({ code: 'API_ANSWER_INVALID' })
})
