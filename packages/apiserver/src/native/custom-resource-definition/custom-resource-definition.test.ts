import { defineKind, schema as s } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestEnvironment } from '../../testing/index.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'
const MERGE = { 'content-type': 'application/merge-patch+json' }

const Widget = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  spec: s.object({ size: s.integer().min(1).default(1), note: s.string().optional() }),
  status: s.object({ phase: s.string().optional() }),
})

let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start({ kinds: [Widget] })
})
afterEach(() => env.close())

const widget = (name: string, spec: object = {}): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
})

test('a definition is established and served at once', async () => {
  const { body } = await env.call('GET', `${CRDS}/widgets.example.com`)
  expect(body.status.conditions.map(({ type, status }: any) => `${type}=${status}`)).toEqual([
    'NamesAccepted=True',
    'Established=True',
  ])
  expect(body.status.storedVersions).toEqual(['v1'])
  expect((await env.call('GET', WIDGETS)).body).toMatchObject({ kind: 'WidgetList', items: [] })
  const discovery = await env.call('GET', '/apis/example.com/v1')
  expect(discovery.body.resources.map((resource: any) => resource.name)).toEqual([
    'widgets',
    'widgets/status',
  ])
})

describe('an object of a custom kind', () => {
  test('gets its defaults and a generation, and loses the status that its creator sends', async () => {
    const { code, body } = await env.call('POST', WIDGETS, {
      body: { ...widget('a'), status: { phase: 'x' } },
    })
    expect(code).toBe(201)
    expect(body.spec).toEqual({ size: 1 })
    expect(body.metadata.generation).toBe(1)
    expect(body.status).toBeUndefined()
  })

  test('loses fields that its schema does not know', async () => {
    const answer = await env.call('POST', WIDGETS, { body: widget('a', { size: 2, colour: 'red' }) })
    expect(answer.body.spec).toEqual({ size: 2 })
    expect(answer.headers['warning']).toBe(String.raw`299 - "unknown field \"spec.colour\""`)
  })

  test('is refused with the name of the field when it violates its schema', async () => {
    const { code, body } = await env.call('POST', WIDGETS, { body: widget('a', { size: 0 }) })
    expect(code).toBe(422)
    expect(body.message).toBe(
      'Widget.example.com "a" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
    )
  })

  test('cannot be replaced without the resourceVersion that is replaced', async () => {
    await env.call('POST', WIDGETS, { body: widget('a') })
    const { code, body } = await env.call('PUT', `${WIDGETS}/a`, { body: widget('a', { size: 2 }) })
    expect(code).toBe(422)
    expect(body.message).toBe(
      'widgets.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    )
  })

  test('counts generations of its spec, not of its status or metadata', async () => {
    await env.call('POST', WIDGETS, { body: widget('a') })
    const generation = async (body: object, sub = ''): Promise<number> =>
      (await env.call('PATCH', `${WIDGETS}/a${sub}`, { body, headers: MERGE })).body.metadata.generation
    expect(await generation({ metadata: { labels: { a: 'b' } } })).toBe(1)
    expect(await generation({ status: { phase: 'Ready' } }, '/status')).toBe(1)
    expect(await generation({ spec: { size: 5 } })).toBe(2)
  })

  test('has its status written by the status subresource alone', async () => {
    await env.call('POST', WIDGETS, { body: widget('a') })
    const body = { metadata: { labels: { a: 'b' } }, spec: { size: 9 }, status: { phase: 'Ready' } }
    const written = await env.call('PATCH', `${WIDGETS}/a/status`, { body, headers: MERGE })
    expect(written.body).toMatchObject({ spec: { size: 1 }, status: { phase: 'Ready' } })
    expect(written.body.metadata.labels).toBeUndefined()
    const other = await env.call('PATCH', `${WIDGETS}/a`, {
      body: { status: { phase: 'Lost' } },
      headers: MERGE,
    })
    expect(other.body.status).toEqual({ phase: 'Ready' })
  })

  test('has separate managers for each subresource', async () => {
    await env.call('POST', WIDGETS, { body: widget('a') })
    const { body } = await env.call('PATCH', `${WIDGETS}/a/status`, {
      body: { status: { phase: 'Ready' } },
      headers: { ...MERGE, 'user-agent': 'controller/1' },
    })
    expect(body.metadata.managedFields.map((entry: any) => [entry.manager, entry.subresource])).toEqual([
      ['controller', 'status'],
      ['test', undefined],
    ])
  })

  test('refuses a strategic merge patch', async () => {
    await env.call('POST', WIDGETS, { body: widget('a') })
    const answer = await env.call('PATCH', `${WIDGETS}/a`, {
      body: {},
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
    })
    expect(answer.code).toBe(415)
  })

  test('shows defaults that were added to its schema after it was created', async () => {
    await env.call('POST', WIDGETS, { body: widget('a') })
    const patch = [
      {
        op: 'add',
        path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/colour',
        value: { type: 'string', default: 'blue' },
      },
    ]
    const headers = { 'content-type': 'application/json-patch+json' }
    expect((await env.call('PATCH', `${CRDS}/widgets.example.com`, { body: patch, headers })).code).toBe(200)
    const { body } = await env.call('GET', `${WIDGETS}/a`)
    expect(body.spec).toEqual({ size: 1, colour: 'blue' })
  })
})

test('deleting a definition deletes its objects, ends their watches, and removes the resource', async () => {
  await env.call('POST', WIDGETS, { body: widget('a') })
  const watch = await env.watch(`${WIDGETS}?watch=true`)
  const answer = await env.call('DELETE', `${CRDS}/widgets.example.com`)
  expect(answer.code).toBe(200)
  await env.settle()
  expect(watch.takeNames()).toEqual(['ADDED a', 'DELETED a'])
  expect(watch.ended).toBe(true)
  expect((await env.call('GET', `${CRDS}/widgets.example.com`)).code).toBe(404)
  expect((await env.call('GET', WIDGETS)).code).toBe(404)
})

test('a definition waits for objects that finalizers hold', async () => {
  await env.call('POST', WIDGETS, {
    body: { ...widget('a'), metadata: { name: 'a', finalizers: ['example.com/f'] } },
  })
  await env.call('DELETE', `${CRDS}/widgets.example.com`)
  await env.settle()
  const { body } = await env.call('GET', `${CRDS}/widgets.example.com`)
  expect(body.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io'])
  expect(body.status.conditions.at(-1)).toMatchObject({ type: 'Terminating', status: 'True' })
  await env.call('PATCH', `${WIDGETS}/a`, { body: { metadata: { finalizers: [] } }, headers: MERGE })
  await env.settle()
  expect((await env.call('GET', `${CRDS}/widgets.example.com`)).code).toBe(404)
})

test('a definition whose names another one has is not accepted and not served', async () => {
  const { body } = await env.call('GET', `${CRDS}/widgets.example.com`)
  const other = {
    apiVersion: body.apiVersion,
    kind: body.kind,
    metadata: { name: 'others.example.com' },
    spec: {
      ...body.spec,
      names: { plural: 'others', singular: 'other', kind: 'Widget', listKind: 'OtherList' },
    },
  }
  await env.call('POST', CRDS, { body: other })
  await env.settle()
  const second = await env.call('GET', `${CRDS}/others.example.com`)
  expect(second.body.status.acceptedNames).toMatchObject({ plural: 'others', kind: '' })
  expect(second.body.status.conditions).toMatchObject([
    { type: 'NamesAccepted', status: 'False', reason: 'KindConflict' },
    { type: 'Established', status: 'False', reason: 'NotAccepted' },
  ])
  expect((await env.call('GET', '/apis/example.com/v1/others')).code).toBe(404)
})

test('every version that is served shows the same objects', async () => {
  const V1 = defineKind({
    group: 'example.com',
    version: 'v1',
    kind: 'Gadget',
    spec: s.object({ a: s.string() }),
  })
  const V2 = defineKind({
    group: 'example.com',
    version: 'v2',
    kind: 'Gadget',
    spec: s.object({ a: s.string() }),
  })
  await env.install([V1, V2])
  await env.call('POST', '/apis/example.com/v1/namespaces/default/gadgets', {
    body: { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: { a: 'x' } },
  })
  const { body } = await env.call('GET', '/apis/example.com/v2/namespaces/default/gadgets/g')
  expect(body).toMatchObject({ apiVersion: 'example.com/v2', spec: { a: 'x' } })
})
