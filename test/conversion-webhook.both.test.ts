import type { ApiRequest } from '@homeostat/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonCallOptions } from './json-call.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const GROUP = `c${crypto.randomUUID().slice(0, 8)}.example.com`
const DEFINITION = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${GROUP}`
const APPLY = { contentType: 'application/apply-patch+yaml' }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const conversion = {
    strategy: 'Webhook',
    webhook: {
      conversionReviewVersions: ['v1'],
      // Nothing listens there.
      clientConfig: { url: 'https://127.0.0.1:1/convert' },
    },
  }
  const names = { plural: 'things', singular: 'thing', kind: 'Thing' }
  await server.call('POST', DEFINITION.slice(0, DEFINITION.lastIndexOf('/')), {
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${GROUP}` },
      spec: { group: GROUP, scope: 'Namespaced', names, versions: versions('v1'), conversion },
    },
  })
  await server.until('both versions are served', async () => (await ask('GET', 'v2')).status === 200)
  // A real server reports a storage version a moment before it uses it.
  await server.until('the first object is stored', async () => (await ask('POST', 'v1', '', a)).status < 300)
})
afterAll(async () => {
  // The objects are left: a real server cannot delete them without the webhook, unless nothing converts any more.
  await server.call('PATCH', DEFINITION, {
    body: { spec: { conversion: { strategy: 'None', webhook: null } } },
  })
  await server.call('DELETE', DEFINITION)
  await server.close()
})

function versions(storage: string): object[] {
  return ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === storage,
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { [`of-${name}`]: { type: 'string' }, replicas: { type: 'integer' } },
          },
          status: { type: 'object', properties: { replicas: { type: 'integer' } } },
        },
      },
    },
  }))
}

const a = { body: thing('v1', 'a') }

function thing(version: string, name: string, more: object = {}): object {
  return {
    apiVersion: `${GROUP}/${version}`,
    kind: 'Thing',
    metadata: { name, ...more },
    spec: { [`of-${version}`]: 'x' },
  }
}

function ask(method: ApiRequest['method'], version: string, rest = '', options?: JsonCallOptions) {
  return server.call(
    method,
    `/apis/${GROUP}/${version}/namespaces/${server.namespace}/things${rest}`,
    options,
  )
}

/** A real server says after these words why it could not reach the webhook. */
function conversionFailed(from: string): object {
  const words = `conversion webhook for ${GROUP}/${from}, Kind=Thing failed: Post "https://127.0.0.1:1/convert?timeout=30s": `
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: expect.stringContaining(words) as string,
    code: 500,
  }
}

describe('a kind whose versions only a webhook converts, and the webhook cannot be reached', () => {
  const label = { body: { metadata: { labels: { by: 'v2' } } } }
  it.each<
    [what: string, method: ApiRequest['method'], rest: string, from: string, options?: JsonCallOptions]
  >([
    ['a get', 'GET', '/a', 'v1'],
    ['a list', 'GET', '', 'v1'],
    ['a list that selects nothing', 'GET', '?labelSelector=no%3Dsuch', 'v1'],
    ['a get of the status', 'GET', '/a/status', 'v1'],
    ['a get of the scale', 'GET', '/a/scale', 'v1'],
    [
      'a get of the metadata',
      'GET',
      '/a',
      'v1',
      { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
    ],
    ['a table', 'GET', '', 'v1', { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }],
    ['a create', 'POST', '', 'v2', { body: thing('v2', 'b') }],
    ['a dry run of a create', 'POST', '?dryRun=All', 'v2', { body: thing('v2', 'b') }],
    ['an update', 'PUT', '/a', 'v1', { body: thing('v2', 'a', { resourceVersion: '1' }) }],
    ['a patch', 'PATCH', '/a', 'v1', label],
    ['a patch of the status', 'PATCH', '/a/status', 'v1', { body: { status: { replicas: 1 } } }],
    ['a patch of the scale', 'PATCH', '/a/scale', 'v1', { body: { spec: { replicas: 1 } } }],
    ['an apply', 'PATCH', '/a?fieldManager=m', 'v1', { ...APPLY, body: thing('v2', 'a') }],
    ['an apply of a new object', 'PATCH', '/c?fieldManager=m', 'v2', { ...APPLY, body: thing('v2', 'c') }],
    ['a delete', 'DELETE', '/a', 'v1'],
    ['a delete of all', 'DELETE', '', 'v1'],
  ])('refuses %s through the other version', async (_what, method, rest, from, options) => {
    const { status, body } = await ask(method, 'v2', rest, options)
    expect({ status, body: body as unknown }).toEqual({ status: 500, body: conversionFailed(from) })
  })

  it('says first that an object is missing', async () => {
    const missing = await Promise.all([
      ask('GET', 'v2', '/none'),
      ask('PATCH', 'v2', '/none', label),
      ask('PUT', 'v2', '/none', { body: thing('v2', 'none', { resourceVersion: '1' }) }),
    ])
    expect(missing.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('does not watch through the other version', async () => {
    const { body } = await ask(
      'GET',
      'v2',
      '?watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    )
    // A real server gives up to fill its cache, which it says in other words.
    expect(body).toMatchObject({ type: 'ERROR', object: { kind: 'Status', status: 'Failure' } })
  })

  it('reads and writes through the stored version, and loses nothing', async () => {
    const got = await ask('GET', 'v1', '/a')
    expect(got.body).toMatchObject({ spec: { 'of-v1': 'x' }, metadata: { generation: 1 } })
    const patched = await ask('PATCH', 'v1', '/a', { body: { metadata: { labels: { by: 'v1' } } } })
    expect(patched).toMatchObject({ status: 200, body: { spec: { 'of-v1': 'x' } } })
    const { body: list } = await ask('GET', 'v1')
    expect(list.items.map(({ spec }: { spec: unknown }) => spec)).toEqual([{ 'of-v1': 'x' }])
    expect((await ask('DELETE', 'v1', '/none')).status).toBe(404)
  })

  it('reads what is stored in its own version, and stores nothing through it, when another becomes the stored one', async () => {
    await server.call('PATCH', DEFINITION, { body: { spec: { versions: versions('v2') } } })
    await server.until(
      'the other version is stored',
      async () => (await ask('POST', 'v2', '', { body: thing('v2', 'd') })).status < 300,
    )
    expect(await ask('GET', 'v1', '/a')).toMatchObject({ status: 200, body: { spec: { 'of-v1': 'x' } } })
    const failed = await Promise.all([
      ask('GET', 'v2', '/a'),
      ask('PATCH', 'v1', '/a', label),
      ask('PATCH', 'v1', '/a', { body: { metadata: { labels: { by: 'v1' } } } }),
      ask('POST', 'v1', '', { body: thing('v1', 'e') }),
    ])
    expect(failed.map(({ body }) => body as unknown)).toEqual([
      conversionFailed('v1'),
      conversionFailed('v1'),
      conversionFailed('v1'),
      conversionFailed('v1'),
    ])
    expect((await ask('GET', 'v1', '/d')).body).toEqual(conversionFailed('v2'))
  })
})
