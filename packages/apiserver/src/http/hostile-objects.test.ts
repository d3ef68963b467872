import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestEnvironment } from '../testing/index.ts'
import { OPEN_KIND } from '../../test/open-kind.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const MERGE = { 'content-type': 'application/merge-patch+json' }
let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

describe('names that every JavaScript object inherits', () => {
  test('are keys like others, in objects and in patches', async () => {
    const body = '{"metadata":{"name":"a"},"data":{"__proto__":"1","constructor":"2","toString":"3"}}'
    expect((await env.call('POST', CONFIG_MAPS, { body })).code).toBe(201)
    const patch = '{"data":{"__proto__":"4","toString":null,"valueOf":"5"}}'
    expect((await env.call('PATCH', `${CONFIG_MAPS}/a`, { body: patch, headers: MERGE })).code).toBe(200)
    const { body: read } = await env.call('GET', `${CONFIG_MAPS}/a`)
    expect(JSON.stringify(read.data)).toBe('{"__proto__":"4","constructor":"2","valueOf":"5"}')
    expect(Object.keys({})).toEqual([])
  })

  test.each(['constructor', '__proto__', 'toString'])('are not a type of patch: %s', async (type) => {
    await env.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'a' } } })
    const headers = { 'content-type': type }
    expect((await env.call('PATCH', `${CONFIG_MAPS}/a`, { body: {}, headers })).code).toBe(415)
  })

  test('are not options of a deletion', async () => {
    await env.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'a' } } })
    await env.call('DELETE', `${CONFIG_MAPS}/a`, { body: '{"__proto__":{"dryRun":["All"]}}' })
    expect((await env.call('GET', `${CONFIG_MAPS}/a`)).code).toBe(404)
  })
})

test.each([
  [
    '{"gracePeriodSeconds":"x"}',
    'string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
  ],
  [
    '{"gracePeriodSeconds":1.5}',
    'number 1.5 into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
  ],
  ['{"preconditions":5}', 'number into Go struct field DeleteOptions.preconditions of type v1.Preconditions'],
  [
    '{"preconditions":{"uid":5}}',
    'number into Go struct field Preconditions.preconditions.uid of type types.UID',
  ],
  ['{"dryRun":"All"}', 'string into Go struct field DeleteOptions.dryRun of type []string'],
  [
    '{"propagationPolicy":{}}',
    'object into Go struct field DeleteOptions.propagationPolicy of type v1.DeletionPropagation',
  ],
  ['[]', 'json parse error: json: cannot unmarshal array into Go value of type struct'],
])('a deletion with the options %s is refused, and deletes nothing', async (body, message) => {
  await env.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'a' } } })
  const refused = await env.call('DELETE', `${CONFIG_MAPS}/a`, { body })
  expect(refused.code).toBe(400)
  expect(refused.body.message).toContain(message)
  expect((await env.call('GET', `${CONFIG_MAPS}/a`)).code).toBe(200)
})

describe('two hundred writers of one object at once', () => {
  const many = <T>(make: (index: number) => Promise<T>, length = 200): Promise<T[]> =>
    Promise.all(Array.from({ length }, (_, index) => make(index)))
  const tally = (answers: readonly { code: number }[]): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1
    return counts
  }

  beforeEach(async () => {
    await env.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'hot' }, data: { n: '' } } })
  })

  test(
    'all succeed when none names a version, and a watch reports each write once, in order',
    {
      timeout: 30_000,
    },
    async () => {
      const watch = await env.watch(`${CONFIG_MAPS}?watch=true`)
      const replaced = await many((n) =>
        env.call('PUT', `${CONFIG_MAPS}/hot`, { body: { metadata: { name: 'hot' }, data: { n: `${n}` } } }),
      )
      const patched = await many((n) =>
        env.call('PATCH', `${CONFIG_MAPS}/hot`, { body: { data: { [`k${n}`]: '' } }, headers: MERGE }),
      )
      const applied = await many(
        (n) =>
          env.call('PATCH', `${CONFIG_MAPS}/hot?fieldManager=m${n}`, {
            body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'hot' }, data: { [`a${n}`]: '' } },
            headers: { 'content-type': 'application/apply-patch+yaml' },
          }),
        20,
      )
      await env.settle()
      expect([replaced, patched, applied].map(tally)).toEqual([{ 200: 200 }, { 200: 200 }, { 200: 20 }])
      const versions = watch.events.map((event) => Number(event.object.metadata.resourceVersion))
      expect(versions).toEqual(versions.toSorted((a, b) => a - b))
      expect(new Set(versions).size).toBe(421)
      const { body } = await env.call('GET', `${CONFIG_MAPS}/hot`)
      expect(Object.keys(body.data)).toHaveLength(221)
      expect(watch.events.at(-1)?.object).toEqual(body)
      await watch.close()
    },
  )

  test('one succeeds when all name the same version', async () => {
    const { body } = await env.call('GET', `${CONFIG_MAPS}/hot`)
    const answers = await many((n) =>
      env.call('PUT', `${CONFIG_MAPS}/hot`, { body: { ...body, data: { n: `${n}` } } }),
    )
    expect(tally(answers)).toEqual({ 200: 1, 409: 199 })
  })

  test('that create and delete it leave a watch with the same objects as a list', async () => {
    const watch = await env.watch(`${CONFIG_MAPS}?watch=true`)
    await many((n) =>
      n % 3 === 0
        ? env.call('DELETE', `${CONFIG_MAPS}/race-${n % 7}`)
        : env.call('POST', CONFIG_MAPS, { body: { metadata: { name: `race-${n % 7}` } } }),
    )
    await env.settle()
    const known = new Map<string, unknown>()
    for (const { type, object } of watch.events) {
      const { name } = object.metadata
      expect(known.has(name)).toBe(type !== 'ADDED')
      if (type === 'DELETED') known.delete(name)
      else known.set(name, object.metadata.resourceVersion)
    }
    const { body } = await env.call('GET', CONFIG_MAPS)
    expect([...known].toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual(
      body.items.map((item: any) => [item.metadata.name, item.metadata.resourceVersion]),
    )
    await watch.close()
  })
})

describe('an object that is too large for etcd', () => {
  const path = '/apis/test.dev/v1/opens'
  const open = (length: number) => ({
    apiVersion: 'test.dev/v1',
    kind: 'Open',
    metadata: { name: 'o' },
    spec: { a: 'x'.repeat(length) },
  })

  beforeEach(async () => {
    await env.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: OPEN_KIND })
  })

  test.each([
    [1_600_000, 'etcdserver: request is too large'],
    [
      2_900_000,
      'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2900442 vs. 2097152)',
    ],
  ])('is refused at %d characters with the message of a Kubernetes API server', async (length, message) => {
    const refused = await env.call('POST', path, { body: open(length) })
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }
    expect(refused.body).toEqual(status)
    expect((await env.call('GET', `${path}/o`)).code).toBe(404)
    const dry = await env.call('POST', `${path}?dryRun=All`, { body: open(length) })
    expect(dry.body).toEqual(status)
  })

  test('cannot come from many small changes either, and can shrink', async () => {
    expect((await env.call('POST', path, { body: open(0) })).code).toBe(201)
    const codes = []
    for (let index = 0; index < 4; index++) {
      const body = { spec: { [`k${index}`]: 'x'.repeat(700_000) } }
      codes.push((await env.call('PATCH', `${path}/o`, { body, headers: MERGE })).code)
    }
    expect(codes).toEqual([200, 200, 500, 500])
    const body = { spec: { k0: null } }
    expect((await env.call('PATCH', `${path}/o`, { body, headers: MERGE })).code).toBe(200)
  })

  test('cannot come from defaults either, which are not even filled in', async () => {
    const definition = structuredClone(OPEN_KIND) as any
    definition.metadata.name = 'filleds.test.dev'
    definition.spec.names = { plural: 'filleds', singular: 'filled', kind: 'Filled', listKind: 'FilledList' }
    const items = { type: 'object', properties: { a: { type: 'string', default: 'x'.repeat(1_000) } } }
    definition.spec.versions[0].schema.openAPIV3Schema.properties.spec = {
      type: 'object',
      properties: { list: { type: 'array', items } },
    }
    await env.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition })
    const list = Array.from({ length: 900_000 }, () => ({}))
    const refused = await env.call('POST', '/apis/test.dev/v1/filleds', {
      body: { apiVersion: 'test.dev/v1', kind: 'Filled', metadata: { name: 'f' }, spec: { list } },
    })
    expect([refused.code, refused.body.message]).toEqual([500, 'etcdserver: request is too large'])
  })

  test('is measured in protobuf, which is shorter than JSON, where it is of a native kind', async () => {
    const rules = Array.from({ length: 60_000 }, () => ({ apiGroups: ['a'], resources: ['b'], verbs: ['c'] }))
    const made = await env.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      body: { metadata: { name: 'long' }, rules },
    })
    expect(made.code).toBe(201)
    const { body } = await env.call('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/long')
    expect(JSON.stringify(body).length).toBeGreaterThan(2 * 1024 * 1024)
  })
})

test.each([
  ['{"apiVersion":null}', 422],
  ['{"apiVersion":""}', 422],
  ['{"apiVersion":"a/b/c"}', 422],
  ['{"kind":null}', 422],
  ['{"kind":null,"apiVersion":null}', 422],
  ['{"apiVersion":1}', 422],
])('a custom object that a patch leaves without its kind or version is refused: %s', async (body, code) => {
  await env.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: OPEN_KIND })
  const open = { apiVersion: 'test.dev/v1', kind: 'Open', metadata: { name: 'o' } }
  await env.call('POST', '/apis/test.dev/v1/opens', { body: open })
  expect((await env.call('PATCH', '/apis/test.dev/v1/opens/o', { body, headers: MERGE })).code).toBe(code)
})
