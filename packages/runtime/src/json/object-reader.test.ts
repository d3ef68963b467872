import { describe, expect, it } from 'vitest'
import { Widget } from '../../test/scripted-api.ts'
import { ObjectReader } from './object-reader.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function widget(name: string, rest: object = {}) {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '5',
      creationTimestamp: '2026-01-01T12:00:00Z',
      ...rest,
    },
    spec: { text: 'a "quoted" {brace} \\ ü 🌍', list: [1, -2.5e3, true, null, [], {}, [[{}]]] },
  }
}

const line = (type: string, object: object): Uint8Array => bytes(JSON.stringify({ type, object }))

function manager(time: string) {
  const fieldsV1 = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`k:{"name":"N${i}"}`, { '.': {} }]),
  )
  return { manager: 'm', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1, time }
}

function unusual(index: number) {
  return { ...manager('t'), fieldsV1: { [`f:${'x'.repeat(100)}${index}`]: {} } }
}

describe('a line about an object', () => {
  it('gives the identity at once and the object when it is parsed', () => {
    for (const type of ['ADDED', 'MODIFIED', 'DELETED']) {
      const read = new ObjectReader().line(line(type, widget('a')))!
      expect(read.type).toBe(type)
      expect(read.object).toMatchObject({
        name: 'a',
        namespace: 'default',
        uid: 'uid-a',
        resourceVersion: '5',
      })
      expect(read.object.parse()).toEqual(widget('a'))
    }
  })

  it('of a cluster-scoped object has no namespace', () => {
    const object = { metadata: { name: 'n', uid: 'u', resourceVersion: '1' } }
    expect(new ObjectReader().line(line('ADDED', object))!.object.namespace).toBe('')
  })

  it('shares managed fields between objects, and gives each its own back', () => {
    const reader = new ObjectReader()
    for (const time of ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']) {
      const object = widget('a', { managedFields: [manager(time), { manager: 'x' }, manager(time)] })
      const { object: read } = reader.line(line('ADDED', object))!
      expect(read.parse()).toEqual(object)
      expect(read.parseMetadata()).toEqual(object.metadata)
      expect(read.length).toBe(bytes(JSON.stringify(object)).length)
    }
  })

  it('that breaks off is left to a parser, or refused by name when it is read', () => {
    const whole = line('ADDED', widget('a', { managedFields: [manager('t')] }))
    const read = Array.from({ length: whole.length }, (_, length) =>
      new ObjectReader().line(whole.slice(0, length)),
    ).filter((line) => line !== undefined)
    expect(read.length).toBeLessThan(10)
    for (const { object } of read) expect(() => object.parse()).toThrow(/default\/a/)
  })

  it('keeps shared values apart when there are more of them than it remembers', () => {
    const reader = new ObjectReader()
    const many = Array.from({ length: 1_200 }, (_, index) =>
      widget(`w${index}`, {
        managedFields: [manager('t'), manager('u'), unusual(index), unusual(Math.floor(index / 2))],
      }),
    )
    const read = many.map((object) => reader.line(line('ADDED', object))!.object)
    for (const [index, object] of read.entries()) {
      expect(object.parse()).toEqual(many[index])
      expect(object.parseMetadata()).toEqual(many[index]!.metadata)
      expect(object.uid).toBe(`uid-w${index}`)
    }
  })

  it.each([
    ['white space', '{"type":"ADDED","object": {"metadata":{"name":"a","uid":"u","resourceVersion":"1"}}}'],
    ['no identity', '{"type":"ADDED","object":{"metadata":{"name":"a"}}}'],
    [
      'escapes in a name',
      '{"type":"ADDED","object":{"metadata":{"name":"\\u0061","uid":"u","resourceVersion":"1"}}}',
    ],
    [
      'more after the object',
      '{"type":"ADDED","object":{"metadata":{"name":"a","uid":"u","resourceVersion":"1"}},"x":1}',
    ],
    [
      'another type',
      '{"type":"BOOKMARK","object":{"metadata":{"name":"a","uid":"u","resourceVersion":"1"}}}',
    ],
  ])('with %s is left to a parser', (_, text) => {
    expect(new ObjectReader().line(bytes(text))).toBeUndefined()
  })
})

describe('an item of a list', () => {
  it.each([
    ['that says what it is', widget('a', { managedFields: [manager('t')] })],
    [
      'that does not',
      { ...widget('a', { managedFields: [manager('t')] }), apiVersion: undefined, kind: undefined },
    ],
    [
      'without an identity that can be scanned',
      { ...widget('a'), metadata: { ...widget('a').metadata, name: 'ä\n' } },
    ],
  ])('%s is read as an object of the kind', (_, item) => {
    const read = new ObjectReader().item(bytes(JSON.stringify(item)), Widget)
    const object = { ...item, apiVersion: 'example.com/v1', kind: 'Widget' }
    expect(read.parse()).toEqual(object)
    expect(read.parseMetadata()).toEqual(object.metadata)
    expect(read).toMatchObject({ name: object.metadata.name, namespace: 'default', uid: 'uid-a' })
  })

  it('is parsed when it is read, and refused by name where it is not JSON', () => {
    const text = JSON.stringify(widget('a')).replace('true', 'truth')
    const read = new ObjectReader().item(bytes(text), Widget)
    expect(() => read.parse()).toThrow(/default\/a/)
  })
})

it('an object that was parsed already is read in the same way', () => {
  const object = widget('a', { managedFields: [manager('t')] })
  const read = new ObjectReader().object(object)
  expect(read.parse()).toEqual(object)
  expect(read.parseMetadata()).toEqual(object.metadata)
  expect(read.uid).toBe('uid-a')
})

describe('keys of one escaped character', () => {
  // `JSON.parse` takes them for a backslash, where it has read an object with the key `\` in the same place before.
  const withKey = (place: string, key: string) => ({ ...widget('a'), spec: { [place]: 1, [key]: 2 } })

  it('are read as they are, in lines and in items', () => {
    const reader = new ObjectReader()
    for (const key of ['\\', '\n', '"', '\u0001']) {
      const changed = reader.line(line('MODIFIED', withKey('in-a-line', key)))!.object.parse()
      expect(changed).toMatchObject({ spec: { 'in-a-line': 1, [key]: 2 } })
      const item = reader.item(bytes(JSON.stringify(withKey('in-an-item', key))), Widget).parse()
      expect(item).toMatchObject({ spec: { 'in-an-item': 1, [key]: 2 } })
    }
  })

  it('are read as they are where the object has to be parsed to be understood', () => {
    const reader = new ObjectReader()
    for (const key of ['\\', '\n']) {
      const { metadata, ...rest } = withKey('after-all', key)
      const item = reader.item(bytes(JSON.stringify({ ...rest, metadata })), Widget).parse()
      expect(item).toMatchObject({ spec: { 'after-all': 1, [key]: 2 } })
    }
  })
})
