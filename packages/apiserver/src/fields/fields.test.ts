import { exactInteger, type FieldsV1, type ManagedFieldsEntry } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../schema/values/json.ts'
import type { SchemaNode, TypeSchema } from '../schema/types/type-schema.ts'
import { compare } from './compare.ts'
import { FieldSet } from './field-set.ts'
import { fieldTypeOf } from './field-type.ts'
import { applyFields, conflictMessage, keepTimes, updateFields } from './index.ts'
import { fieldsOf } from './owned-fields.ts'
import { elementText, parseElement, pathText, sortElements, type PathElement } from './path-element.ts'

function schemaOf(spec: Record<string, SchemaNode>): TypeSchema {
  return {
    root: { type: 'object', properties: { spec: { type: 'object', properties: spec } } },
    definitions: {},
  }
}

const schema = schemaOf({
  replicas: { type: 'integer' },
  color: { type: 'string' },
  map: { type: 'object', additionalProperties: { type: 'string' } },
  ports: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
    items: {
      type: 'object',
      properties: {
        port: { type: 'integer' },
        protocol: { type: 'string', default: 'TCP' },
        name: { type: 'string' },
      },
    },
  },
})

const NOW = Date.UTC(2024, 0, 1)
const KIND = { apiVersion: 'example.com/v1', kind: 'Example' }
const write = { schema, apiVersion: 'example.com/v1', now: NOW }

function object(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { ...KIND, metadata: { name: 'x', ...metadata }, spec }
}

function applied(live: JsonObject | undefined, manager: string, spec: JsonObject, force = false): JsonObject {
  const result = applyFields({ ...write, live, applied: object(spec), manager, force })
  if (!('object' in result)) throw new Error(JSON.stringify(result))
  return result.object
}

function entriesOf(value: JsonObject): ManagedFieldsEntry[] {
  return (value['metadata'] as { managedFields?: ManagedFieldsEntry[] }).managedFields ?? []
}

describe('a step of a path', () => {
  it('F1: is canonical, whatever the order in which its keys were written', () => {
    expect(parseElement('k:{"port":80, "name":"a"}')).toBe('k:{"name":"a","port":80}')
    expect(parseElement('v:"a<b"')).toBe(String.raw`v:"a\u003cb"`)
    expect(parseElement('f:a.b/c')).toBe('f:a.b/c')
    expect(parseElement('i:007')).toBe('i:7')
  })

  it('F3: of an unknown kind is dropped, and an invalid one throws', () => {
    expect(parseElement('x:abc')).toBeUndefined()
    expect(() => parseElement('k:[1]')).toThrow(SyntaxError)
    expect(() => parseElement('i:x')).toThrow(SyntaxError)
  })

  it('F2: sorts fields, keys, values and indexes, each by its content', () => {
    const elements: PathElement[] = [
      'i:1',
      'v:"b"',
      'v:10',
      'v:9',
      'k:{"a":10}',
      'k:{"a":9}',
      'f:b',
      'f:a',
      'v:true',
    ]
    expect(sortElements(elements)).toEqual([
      'f:a',
      'f:b',
      'k:{"a":9}',
      'k:{"a":10}',
      'v:9',
      'v:10',
      'v:"b"',
      'v:true',
      'i:1',
    ])
  })

  it('F28: is shown as messages show it', () => {
    const path: PathElement[] = ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name']
    expect(pathText(path)).toBe('.spec.ports[port=80,protocol="TCP"].name')
    expect(elementText('v:"a\\"b"')).toBe(String.raw`[="a\"b"]`)
    expect(elementText('i:3')).toBe('[3]')
  })
})

describe('a set of fields', () => {
  const fields: FieldsV1 = {
    'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
    'f:spec': { 'f:ports': { 'k:{"port":80}': { '.': {}, 'f:port': {} } }, 'f:replicas': {} },
  }

  it('F2: is read and written without a difference', () => {
    expect(FieldSet.decode(fields).encode()).toEqual(fields)
    expect(JSON.stringify(FieldSet.decode(fields).encode())).toBe(JSON.stringify(fields))
  })

  it('F3: leaves out steps that it does not know', () => {
    expect(FieldSet.decode({ 'f:a': {}, 'z:b': {} }).encode()).toEqual({ 'f:a': {} })
  })

  it('F2: a difference keeps the fields below a removed field, unless it is recursive', () => {
    const set = FieldSet.of(['f:a'], ['f:a', 'f:b'], ['f:c'])
    expect(set.difference(FieldSet.of(['f:a'])).encode()).toEqual({ 'f:a': { 'f:b': {} }, 'f:c': {} })
    expect(set.without(FieldSet.of(['f:a'])).encode()).toEqual({ 'f:c': {} })
    expect(set.difference(set).empty).toBe(true)
  })

  it('F2: unions and intersections go by members', () => {
    const one = FieldSet.of(['f:a'], ['f:b', 'f:c'])
    const other = FieldSet.of(['f:b'], ['f:b', 'f:c'], ['f:b', 'f:d'])
    expect(one.union(other).encode()).toEqual({ 'f:a': {}, 'f:b': { '.': {}, 'f:c': {}, 'f:d': {} } })
    expect(one.intersection(other).encode()).toEqual({ 'f:b': { 'f:c': {} } })
    expect(one.union(other).equals(other.union(one))).toBe(true)
  })

  it('F1: keeps names that objects inherit apart', () => {
    const value = JSON.parse('{"spec":{"map":{"__proto__":"a","constructor":"b"}}}') as unknown
    expect(JSON.stringify(fieldsOf(fieldTypeOf(schema), value).encode())).toBe(
      '{"f:spec":{"f:map":{"f:__proto__":{},"f:constructor":{}}}}',
    )
  })
})

describe('a schema that changes', () => {
  it('F9: gives the owner of a part the whole value, once it is atomic', () => {
    const granular = schemaOf({ map: { type: 'object', additionalProperties: { type: 'string' } } })
    const atomic = schemaOf({
      map: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
    })
    const request = { ...write, manager: 'alice', force: false, applied: object({ map: { a: '1' } }) }
    const first = applyFields({ ...request, schema: granular, live: undefined })
    const live = 'object' in first ? first.object : {}
    const second = applyFields({
      ...write,
      schema: atomic,
      live,
      manager: 'bob',
      force: false,
      applied: object({ map: { a: '2' } }),
    })
    expect(second).toMatchObject({ conflicts: [{ manager: 'alice', field: '.spec.map' }] })
  })
})

describe('an update', () => {
  it('F10: owns what it changed and takes it from others', () => {
    const before = applied(undefined, 'alice', { replicas: 1, color: 'red' })
    const after = object({ replicas: 2, color: 'red' })
    updateFields({ ...write, before, after, manager: 'bob' })
    expect(entriesOf(after).map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ['alice', { 'f:spec': { 'f:color': {} } }],
      ['bob', { 'f:spec': { 'f:replicas': {} } }],
    ])
  })

  it('F12: that changes nothing leaves owners and times as they are', () => {
    const before = object({ replicas: 1 })
    updateFields({ ...write, before: undefined, after: before, manager: 'alice' })
    const after = object({ replicas: 1 })
    updateFields({ ...write, before, after, manager: 'bob', now: NOW + 60_000 })
    expect(entriesOf(after)).toEqual(entriesOf(before))
    expect(keepTimes(before, after)).toBe(true)
  })

  it('F12: that changes only a time is undone; one that changes more is not', () => {
    const before = object({ replicas: 1 })
    updateFields({ ...write, before: undefined, after: before, manager: 'alice' })
    const moved = structuredClone(before)
    entriesOf(moved)[0]!.time = '2030-01-01T00:00:00Z'
    expect(keepTimes(before, moved)).toBe(true)
    expect(moved).toEqual(before)
    const changed = structuredClone(before)
    entriesOf(changed)[0]!.time = '2030-01-01T00:00:00Z'
    changed['spec'] = { replicas: 2 }
    expect(keepTimes(before, changed)).toBe(false)
  })

  it('F14: of an object that lost its managers is not tracked', () => {
    const before = object({ replicas: 1 }, { uid: 'u' })
    const after = object({ replicas: 2 }, { uid: 'u' })
    updateFields({ ...write, before, after, manager: 'bob' })
    expect(entriesOf(after)).toEqual([])
  })

  it('F3 F14: ignores invalid managed fields, and keeps those of the stored object', () => {
    const before = object({ replicas: 1 })
    updateFields({ ...write, before: undefined, after: before, manager: 'alice' })
    const nonsense = [
      {
        manager: 'eve',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'k:x': {} },
      },
    ]
    const after = object({ replicas: 1 }, { managedFields: nonsense })
    updateFields({ ...write, before, after, manager: 'bob' })
    expect(entriesOf(after)).toEqual(entriesOf(before))
  })

  it('F27: lists appliers first, then by time and by name', () => {
    let live = applied(undefined, 'zoe', { replicas: 1 })
    for (const [index, manager] of ['carol', 'bob', 'alice'].entries()) {
      const after = object({
        replicas: 1,
        map: { ...(live['spec'] as { map?: JsonObject }).map, [manager]: '1' },
      })
      updateFields({ ...write, before: live, after, manager, now: NOW + (index === 0 ? 60_000 : 0) })
      live = after
    }
    expect(entriesOf(live).map(({ manager }) => manager)).toEqual(['zoe', 'alice', 'bob', 'carol'])
  })

  it('F24: forgets managers of versions that are no longer served', () => {
    const before = applied(undefined, 'alice', { replicas: 1 })
    entriesOf(before)[0]!.apiVersion = 'example.com/v0'
    const after = object({ replicas: 1, color: 'red' })
    updateFields({ ...write, before, after, manager: 'bob', servedVersions: ['example.com/v1'] })
    expect(entriesOf(after).map(({ manager }) => manager)).toEqual(['bob'])
  })
})

describe('an apply', () => {
  it('F15: changes neither the applied nor the stored object', () => {
    const live = Object.freeze(applied(undefined, 'alice', { ports: [{ port: 1 }] }))
    const text = JSON.stringify(live)
    const config = object({ ports: [{ port: 2 }] })
    const result = applyFields({ ...write, live, applied: config, manager: 'bob', force: false })
    expect(JSON.stringify(live)).toBe(text)
    expect(config).toEqual(object({ ports: [{ port: 2 }] }))
    expect(result).toMatchObject({ object: { spec: { ports: [{ port: 1 }, { port: 2 }] } } })
  })

  it('F24: in another version is by the same manager', () => {
    const live = applied(undefined, 'alice', { replicas: 1, color: 'red' })
    entriesOf(live)[0]!.apiVersion = 'example.com/v0'
    const next = applied(live, 'alice', { replicas: 1 })
    expect(next['spec']).toEqual({ replicas: 1 })
    expect(entriesOf(next).map(({ apiVersion }) => apiVersion)).toEqual(['example.com/v1'])
  })

  it('F17 F28: reports every conflict, by manager', () => {
    let live = applied(undefined, 'alice', { replicas: 1 })
    live = applied(live, 'bob', { color: 'red', ports: [{ port: 80, name: 'http' }] })
    const config = object({ replicas: 2, color: 'blue', ports: [{ port: 80, name: 'web' }] })
    const result = applyFields({ ...write, live, applied: config, manager: 'carol', force: false })
    expect('conflicts' in result && conflictMessage(result.conflicts)).toBe(
      [
        'Apply failed with 3 conflicts: conflicts with "alice":',
        '- .spec.replicas',
        'conflicts with "bob":',
        '- .spec.color',
        '- .spec.ports[port=80,protocol="TCP"].name',
      ].join('\n'),
    )
  })

  it('F17: does not conflict over an integer and the floating-point number nearest to it', () => {
    const live = applied(undefined, 'a', { replicas: exactInteger(2n ** 63n - 1n) })
    const apply = (replicas: unknown): object =>
      applyFields({ ...write, live, applied: object({ replicas }), manager: 'b', force: false })
    expect(apply(2 ** 63)).not.toHaveProperty('conflicts')
    expect(apply(2 ** 64)).toHaveProperty('conflicts')
    expect(apply(exactInteger(2n ** 63n - 2n))).toHaveProperty('conflicts')
  })

  it('F21: replaces a duplicate element of the live object', () => {
    const live = object({
      ports: [
        { port: 1, name: 'a' },
        { port: 1, protocol: 'TCP', name: 'b' },
      ],
    })
    updateFields({ ...write, before: undefined, after: live, manager: 'old' })
    const next = applied(live, 'alice', { ports: [{ port: 1, name: 'c' }] }, true)
    expect(next['spec']).toEqual({ ports: [{ port: 1, name: 'c' }] })
  })

  it('F19: takes time in proportion to the length of a list', () => {
    const ports = (start: number): JsonObject[] =>
      Array.from({ length: 5_000 }, (_, index) => ({ port: start + index }))
    let live = applied(undefined, 'alice', { ports: ports(0) })
    live = applied(live, 'bob', { ports: ports(2_500).toReversed() })
    expect((live['spec'] as { ports: unknown[] }).ports).toHaveLength(7_500)
    const { added, modified, removed } = compare(fieldTypeOf(schema), live, live)
    expect([added, modified, removed].every((set) => set.empty)).toBe(true)
  })
})
