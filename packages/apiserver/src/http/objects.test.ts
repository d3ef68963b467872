import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestEnvironment } from '../testing/index.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const MERGE = { 'content-type': 'application/merge-patch+json' }
let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

const configMap = (name: string, data: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})

describe('create', () => {
  test('sets the fields that only the server can set', async () => {
    const { code, body } = await env.call('POST', CONFIG_MAPS, { body: configMap('a', { x: 'y' }) })
    expect(code).toBe(201)
    expect(body).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        name: 'a',
        namespace: 'default',
        uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
        creationTimestamp: '2026-01-01T12:00:00Z',
        managedFields: [
          {
            manager: 'test',
            operation: 'Update',
            apiVersion: 'v1',
            time: '2026-01-01T12:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { '.': {}, 'f:x': {} } },
          },
        ],
      },
      data: { x: 'y' },
    })
  })

  test('makes a name that begins with generateName', async () => {
    const body = { metadata: { generateName: 'job-' } }
    const first = await env.call('POST', CONFIG_MAPS, { body })
    const second = await env.call('POST', CONFIG_MAPS, { body })
    expect(first.body.metadata.name).toMatch(/^job-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    expect(second.body.metadata.name).not.toBe(first.body.metadata.name)
  })

  test('refuses a name that is taken', async () => {
    await env.call('POST', CONFIG_MAPS, { body: configMap('a') })
    const { code, body } = await env.call('POST', CONFIG_MAPS, { body: configMap('a') })
    expect(code).toBe(409)
    expect(body).toMatchObject({
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
      details: { name: 'a', kind: 'configmaps' },
    })
  })

  test('refuses a namespace that does not exist', async () => {
    const { code, body } = await env.call('POST', '/api/v1/namespaces/x/configmaps', { body: configMap('a') })
    expect(code).toBe(404)
    expect(body.message).toBe('namespaces "x" not found')
  })

  test('refuses a namespace other than that of the path', async () => {
    const body = { metadata: { name: 'a', namespace: 'other' } }
    const answer = await env.call('POST', CONFIG_MAPS, { body })
    expect(answer.code).toBe(400)
    expect(answer.body.message).toBe(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
  })

  test('refuses an invalid name, with the field', async () => {
    const { code, body } = await env.call('POST', CONFIG_MAPS, { body: configMap('A_') })
    expect(code).toBe(422)
    expect(body.reason).toBe('Invalid')
    expect(body.details).toMatchObject({ name: 'A_', kind: 'ConfigMap' })
    expect(body.details.causes).toHaveLength(1)
    expect(body.details.causes[0]).toMatchObject({ reason: 'FieldValueInvalid', field: 'metadata.name' })
  })

  test('with dryRun answers the same and stores nothing', async () => {
    const { code, body } = await env.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: configMap('a') })
    expect(code).toBe(201)
    expect(body.metadata.uid).toBeDefined()
    expect((await env.call('GET', `${CONFIG_MAPS}/a`)).code).toBe(404)
  })

  test('accepts YAML', async () => {
    const answer = await env.call('POST', CONFIG_MAPS, {
      body: 'kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: a\ndata:\n  when: "2026-01-01"\n',
      headers: { 'content-type': 'application/yaml' },
    })
    expect(answer.body.data).toEqual({ when: '2026-01-01' })
  })
})

describe('field validation', () => {
  const body = '{"metadata":{"name":"a"},"foo":1,"data":{"x":"1","x":"2"}}'

  test('warns of unknown and duplicate fields by default, and drops them', async () => {
    const answer = await env.call('POST', CONFIG_MAPS, { body })
    expect(answer.code).toBe(201)
    expect(answer.headers['warning']).toBe(
      String.raw`299 - "unknown field \"foo\"", 299 - "duplicate field \"data.x\""`,
    )
    expect(answer.body.foo).toBeUndefined()
    expect(answer.body.data).toEqual({ x: '2' })
  })

  test('refuses them when it is strict', async () => {
    const answer = await env.call('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, { body })
    expect(answer.code).toBe(400)
    expect(answer.body.message).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "foo", duplicate field "data.x"',
    )
  })

  test('sends no warnings when it is Ignore', async () => {
    const answer = await env.call('POST', `${CONFIG_MAPS}?fieldValidation=Ignore`, { body })
    expect(answer.code).toBe(201)
    expect(answer.headers['warning']).toBeUndefined()
  })
})

describe('update', () => {
  test('replaces the object and keeps the fields that the server has set', async () => {
    const created = await env.call('POST', CONFIG_MAPS, { body: configMap('a', { x: '1' }) })
    const updated = await env.call('PUT', `${CONFIG_MAPS}/a`, { body: configMap('a', { y: '2' }) })
    expect(updated.code).toBe(200)
    expect(updated.body.data).toEqual({ y: '2' })
    expect(updated.body.metadata.uid).toBe(created.body.metadata.uid)
    expect(Number(updated.body.metadata.resourceVersion)).toBeGreaterThan(
      Number(created.body.metadata.resourceVersion),
    )
  })

  test('with an old resourceVersion is a conflict', async () => {
    const created = await env.call('POST', CONFIG_MAPS, { body: configMap('a') })
    await env.call('PUT', `${CONFIG_MAPS}/a`, { body: configMap('a', { y: '2' }) })
    const { code, body } = await env.call('PUT', `${CONFIG_MAPS}/a`, { body: created.body })
    expect(code).toBe(409)
    expect(body.message).toBe(
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    )
    expect(body.details).toEqual({ name: 'a', kind: 'configmaps' })
  })

  test('that changes nothing writes nothing', async () => {
    const created = await env.call('POST', CONFIG_MAPS, { body: configMap('a', { x: '1' }) })
    await env.advance('1h')
    const updated = await env.call('PUT', `${CONFIG_MAPS}/a`, { body: configMap('a', { x: '1' }) })
    expect(updated.body).toEqual(created.body)
  })

  test('of another object of the same name is a conflict', async () => {
    await env.call('POST', CONFIG_MAPS, { body: configMap('a') })
    const body = { metadata: { name: 'a', uid: 'other' } }
    const answer = await env.call('PUT', `${CONFIG_MAPS}/a`, { body })
    expect(answer.code).toBe(409)
    expect(answer.body.message).toContain('Precondition failed: UID in precondition: other')
  })

  test('must name the object as the path does', async () => {
    await env.call('POST', CONFIG_MAPS, { body: configMap('a') })
    const answer = await env.call('PUT', `${CONFIG_MAPS}/a`, { body: configMap('b') })
    expect(answer.code).toBe(400)
    expect(answer.body.message).toBe('the name of the object (b) does not match the name on the URL (a)')
  })

  test('keeps both changes of two simultaneous patches', async () => {
    await env.call('POST', CONFIG_MAPS, { body: configMap('a') })
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        env.call('PATCH', `${CONFIG_MAPS}/a`, { body: { data: { [`k${index}`]: 'v' } }, headers: MERGE }),
      ),
    )
    const { body } = await env.call('GET', `${CONFIG_MAPS}/a`)
    expect(Object.keys(body.data)).toHaveLength(20)
  })
})

describe('patch', () => {
  beforeEach(() => env.call('POST', CONFIG_MAPS, { body: configMap('a', { x: '1', y: '2' }) }))

  test('merges', async () => {
    const { body } = await env.call('PATCH', `${CONFIG_MAPS}/a`, {
      body: { data: { x: null, z: '3' } },
      headers: MERGE,
    })
    expect(body.data).toEqual({ y: '2', z: '3' })
  })

  test('accepts a JSON patch, and refuses one that cannot be applied', async () => {
    const headers = { 'content-type': 'application/json-patch+json' }
    const good = await env.call('PATCH', `${CONFIG_MAPS}/a`, {
      body: [{ op: 'replace', path: '/data/x', value: '9' }],
      headers,
    })
    expect(good.body.data).toEqual({ x: '9', y: '2' })
    const bad = await env.call('PATCH', `${CONFIG_MAPS}/a`, {
      body: [{ op: 'remove', path: '/data/q' }],
      headers,
    })
    expect(bad.code).toBe(422)
  })

  test('with a resourceVersion that is old is a conflict', async () => {
    const body = { metadata: { resourceVersion: '1' }, data: { x: '5' } }
    expect((await env.call('PATCH', `${CONFIG_MAPS}/a`, { body, headers: MERGE })).code).toBe(409)
  })

  test('refuses a media type that is not a patch', async () => {
    const answer = await env.call('PATCH', `${CONFIG_MAPS}/a`, { body: {} })
    expect(answer.code).toBe(415)
    expect(answer.body.reason).toBe('UnsupportedMediaType')
  })
})

describe('apply', () => {
  const headers = { 'content-type': 'application/apply-patch+yaml' }
  const apply = (manager: string, data: Record<string, string>, more = '') =>
    env.call('PATCH', `${CONFIG_MAPS}/a?fieldManager=${manager}${more}`, {
      body: configMap('a', data),
      headers,
    })

  test('creates an object that does not exist, and changes nothing the second time', async () => {
    const first = await apply('one', { x: '1' })
    expect(first.code).toBe(201)
    await env.advance('1h')
    const second = await apply('one', { x: '1' })
    expect(second.code).toBe(200)
    expect(second.body).toEqual(first.body)
  })

  test('removes what the manager no longer applies', async () => {
    await apply('one', { x: '1', y: '2' })
    const { body } = await apply('one', { x: '1' })
    expect(body.data).toEqual({ x: '1' })
  })

  test('reports a conflict with the field and its manager', async () => {
    await apply('one', { x: '1' })
    const { code, body } = await apply('two', { x: '2' })
    expect(code).toBe(409)
    expect(body).toMatchObject({
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "one": .data.x',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.x' }],
      },
    })
    expect((await apply('two', { x: '2' }, '&force=true')).body.data).toEqual({ x: '2' })
  })

  test('needs a field manager', async () => {
    const answer = await env.call('PATCH', `${CONFIG_MAPS}/a`, { body: configMap('a'), headers })
    expect(answer.code).toBe(422)
    expect(answer.body.message).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    )
  })

  test('must name its kind and version', async () => {
    const answer = await env.call('PATCH', `${CONFIG_MAPS}/a?fieldManager=x`, { body: { data: {} }, headers })
    expect(answer.code).toBe(400)
    expect(answer.body.message).toBe('invalid object type: /, Kind=')
  })
})

describe('delete', () => {
  test('answers with the deleted object', async () => {
    const created = await env.call('POST', CONFIG_MAPS, { body: configMap('a') })
    const { code, body } = await env.call('DELETE', `${CONFIG_MAPS}/a`)
    expect(code).toBe(200)
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: created.body.metadata.uid },
    })
    expect((await env.call('DELETE', `${CONFIG_MAPS}/a`)).code).toBe(404)
  })

  test('waits for finalizers, and no further ones can be added', async () => {
    await env.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'a', finalizers: ['example.com/f'] } } })
    const deleted = await env.call('DELETE', `${CONFIG_MAPS}/a`)
    expect(deleted.body.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T12:00:00Z',
      deletionGracePeriodSeconds: 0,
      finalizers: ['example.com/f'],
    })
    const more = await env.call('PATCH', `${CONFIG_MAPS}/a`, {
      body: { metadata: { finalizers: ['example.com/f', 'example.com/g'] } },
      headers: MERGE,
    })
    expect(more.code).toBe(422)
    const watch = await env.watch(
      `${CONFIG_MAPS}?watch=true&resourceVersion=${deleted.body.metadata.resourceVersion}`,
    )
    const released = await env.call('PATCH', `${CONFIG_MAPS}/a`, {
      body: { metadata: { finalizers: null } },
      headers: MERGE,
    })
    expect(released.code).toBe(200)
    expect((await env.call('GET', `${CONFIG_MAPS}/a`)).code).toBe(404)
    await env.settle()
    expect(watch.takeNames()).toEqual(['DELETED a'])
    await watch.close()
  })

  test('in the foreground leaves the object to the garbage collector', async () => {
    await env.call('POST', CONFIG_MAPS, { body: configMap('a') })
    const { code, body } = await env.call('DELETE', `${CONFIG_MAPS}/a`, {
      body: { propagationPolicy: 'Foreground' },
    })
    expect(code).toBe(200)
    expect(body.metadata.finalizers).toEqual(['foregroundDeletion'])
  })

  test('of an orphan leaves the dependents to the garbage collector', async () => {
    await env.call('POST', CONFIG_MAPS, { body: configMap('a') })
    const { body } = await env.call('DELETE', `${CONFIG_MAPS}/a?propagationPolicy=Orphan`)
    expect(body.metadata.finalizers).toEqual(['orphan'])
  })

  test('refuses preconditions that do not hold', async () => {
    const { body } = await env.call('POST', CONFIG_MAPS, { body: configMap('a') })
    for (const preconditions of [{ uid: 'other' }, { resourceVersion: '1' }]) {
      expect((await env.call('DELETE', `${CONFIG_MAPS}/a`, { body: { preconditions } })).code).toBe(409)
    }
    const { uid, resourceVersion } = body.metadata
    const right = await env.call('DELETE', `${CONFIG_MAPS}/a`, {
      body: { preconditions: { uid, resourceVersion } },
    })
    expect(right.code).toBe(200)
  })

  test('of a collection deletes the selected objects, and answers with them', async () => {
    for (const app of ['a', 'b', 'c']) {
      await env.call('POST', CONFIG_MAPS, { body: { metadata: { name: app, labels: { app } } } })
    }
    const { body } = await env.call('DELETE', `${CONFIG_MAPS}?labelSelector=app%20in%20(a,b)`)
    expect(body.items.map((item: any) => item.metadata.name)).toEqual(['a', 'b'])
    const left = await env.call('GET', CONFIG_MAPS)
    expect(left.body.items.map((item: any) => item.metadata.name)).toEqual(['c'])
  })
})

describe('list', () => {
  beforeEach(async () => {
    for (const name of ['c', 'a', 'b', 'e', 'd'])
      await env.call('POST', CONFIG_MAPS, { body: configMap(name) })
  })
  const names = (answer: { body: any }): string[] => answer.body.items.map((item: any) => item.metadata.name)

  test('is in the order of names, and its items name no kind', async () => {
    const answer = await env.call('GET', CONFIG_MAPS)
    expect(answer.body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' })
    expect(names(answer)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(answer.body.items[0].kind).toBeUndefined()
    expect(answer.body.items[0].apiVersion).toBeUndefined()
  })

  test('in pages shows one revision, whatever is written in between', async () => {
    const first = await env.call('GET', `${CONFIG_MAPS}?limit=2`)
    expect(names(first)).toEqual(['a', 'b'])
    expect(first.body.metadata.remainingItemCount).toBe(3)
    await env.call('DELETE', `${CONFIG_MAPS}/c`)
    await env.call('POST', CONFIG_MAPS, { body: configMap('ca') })
    const next = `${CONFIG_MAPS}?limit=2&continue=${first.body.metadata.continue}`
    const second = await env.call('GET', next)
    expect(names(second)).toEqual(['c', 'd'])
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion)
    const third = await env.call('GET', `${CONFIG_MAPS}?limit=2&continue=${second.body.metadata.continue}`)
    expect(names(third)).toEqual(['e'])
    expect(third.body.metadata.continue).toBeUndefined()
  })

  test('that continues after its revision has expired is answered with 410, and with a token for the rest', async () => {
    const first = await env.call('GET', `${CONFIG_MAPS}?limit=2`)
    await env.call('POST', CONFIG_MAPS, { body: configMap('ca') })
    env.server.registry.store.compact(env.server.registry.store.revision)
    const expired = await env.call('GET', `${CONFIG_MAPS}?limit=9&continue=${first.body.metadata.continue}`)
    expect(expired.code).toBe(410)
    expect(expired.body.reason).toBe('Expired')
    const rest = await env.call('GET', `${CONFIG_MAPS}?limit=9&continue=${expired.body.metadata.continue}`)
    expect(names(rest)).toEqual(['c', 'ca', 'd', 'e'])
  })

  test('at an exact version shows the past', async () => {
    const before = await env.call('GET', CONFIG_MAPS)
    await env.call('DELETE', `${CONFIG_MAPS}/a`)
    const version = before.body.metadata.resourceVersion
    const past = await env.call('GET', `${CONFIG_MAPS}?resourceVersion=${version}&resourceVersionMatch=Exact`)
    expect(names(past)).toEqual(['a', 'b', 'c', 'd', 'e'])
    const now = await env.call(
      'GET',
      `${CONFIG_MAPS}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`,
    )
    expect(names(now)).toEqual(['b', 'c', 'd', 'e'])
  })

  test('refuses selectors that it does not understand', async () => {
    const fields = await env.call('GET', `${CONFIG_MAPS}?fieldSelector=foo%3Dbar`)
    expect(fields.code).toBe(400)
    expect(fields.body.message).toBe(
      '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
    )
    const labels = await env.call('GET', `${CONFIG_MAPS}?labelSelector=a%20b`)
    expect(labels.code).toBe(400)
    expect(labels.body.message).toBe(
      "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
    )
  })

  test('over all namespaces has all objects', async () => {
    await env.call('POST', '/api/v1/namespaces/kube-system/configmaps', { body: configMap('z') })
    expect(names(await env.call('GET', '/api/v1/configmaps'))).toEqual(['a', 'b', 'c', 'd', 'e', 'z'])
  })
})
