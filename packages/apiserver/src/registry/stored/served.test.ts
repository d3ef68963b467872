import { expect, test } from 'vitest'
import { Entry } from '../../storage/entry.ts'
import { RecentValues } from '../../storage/recent-values.ts'
import type { SchemaNode } from '../../schema/index.ts'
import type { Resource } from '../resource/resource.ts'
import { servedJson } from './served.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A resource whose objects have this specification. */
function resourceOf(spec: SchemaNode): Resource {
  const root = { type: 'object', properties: { spec } } as const
  const schema = { root, definitions: {} }
  return {
    group: 'test.dev',
    version: 'v1',
    kind: 'Thing',
    listKind: 'ThingList',
    plural: 'things',
    singular: 'thing',
    shortNames: [],
    categories: [],
    scope: 'Namespaced',
    verbs: [],
    subresources: { status: false },
    storageVersion: 'v1',
    versions: new Map([['v1', schema]]),
    schema,
    custom: true,
    columns: [],
    strategy: () => ({}),
  }
}

/** Serves an object, and reports whether the store cached it for that. */
function serve(stored: string, resource: Resource): { json: string; isCached: boolean } {
  const entry = Entry.ofJson('default/a', 1, encoder.encode(stored), new RecentValues())
  return { json: decoder.decode(servedJson(entry, resource)), isCached: entry.isShareable }
}

const THING = '{"apiVersion":"test.dev/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"size":1}}'
const SIZE = { type: 'integer' } as const

test('the store does not cache an object that is served as it is stored', () => {
  const resource = resourceOf({ type: 'object', properties: { size: SIZE } })
  expect(serve(THING, resource)).toEqual({ json: THING, isCached: false })
})

test('an object is served with the defaults of a schema that changed since it was stored', () => {
  const resource = resourceOf({
    type: 'object',
    properties: { size: SIZE, color: { type: 'string', default: 'red' } },
  })
  expect(JSON.parse(serve(THING, resource).json)).toMatchObject({ spec: { size: 1, color: 'red' } })
})

test('an object is served without a field that the schema no longer has', () => {
  const resource = resourceOf({ type: 'object', properties: { color: { type: 'string' } } })
  expect(JSON.parse(serve(THING, resource).json)).toMatchObject({ spec: {} })
})

test('an object with a number that JavaScript cannot hold is served with that number', () => {
  const resource = resourceOf({ type: 'object', properties: { size: SIZE } })
  const long = THING.replace('"size":1', '"size":9007199254740993')
  expect(serve(long, resource).json).toBe(long)
})
