import { describe, expect, it } from 'vitest'
import { ListItems } from './list-items.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

const items = [
  {
    metadata: { name: 'a' },
    spec: { text: 'a "quoted" }{ ][ \\ ü 🌍 \\"', list: [1, [{}], { items: [{ x: 1 }] }] },
  },
  { metadata: { name: 'b', annotations: { '"items":[{': '}],"items":[', '\\': '"' } } },
  {},
]
const metadata = { resourceVersion: '10', continue: '', remaining: { items: [{ not: 'one' }] } }

function read(list: string, size: number) {
  const reader = new ListItems()
  const whole = bytes(list)
  const read: string[] = []
  for (let at = 0; at < whole.length; at += size) {
    // The buffer of a chunk may be reused once the chunk was read.
    const chunk = whole.slice(at, at + size)
    read.push(...reader.push(chunk).map(text))
    chunk.fill(0)
  }
  return { items: read.map((item) => JSON.parse(item) as object), version: () => reader.resourceVersion() }
}

describe('a list', () => {
  it.for([
    ['as API servers write it', JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata, items })],
    ['with its metadata at the end', JSON.stringify({ apiVersion: 'v1', items, kind: 'List', metadata })],
    ['with white space', `${JSON.stringify({ metadata, other: [[1], 'items'], items }, null, 2)}\n`],
  ])('%s is cut into its items wherever the chunks end', ([, list]) => {
    for (let size = 1; size <= list!.length + 1; size++) {
      const { items: found, version } = read(list!, size)
      expect(found).toEqual(items)
      expect(version()).toBe('10')
    }
  })

  it.for([
    ['[]', JSON.stringify({ metadata, items: [] })],
    ['null', JSON.stringify({ metadata, items: null })],
    ['nothing', JSON.stringify({ metadata })],
    ['of a key that only looks like it', String.raw`{"a\"items":[{}],"metadata":{"resourceVersion":"10"}}`],
  ])('whose items are %s has none', ([, list]) => {
    const { items: found, version } = read(list!, 7)
    expect(found).toEqual([])
    expect(version()).toBe('10')
  })

  it('is not whole before its last byte', () => {
    const list = JSON.stringify({ metadata, items })
    for (let length = 0; length < list.length; length++) {
      expect(() => read(list.slice(0, length), 10).version(), list.slice(0, length)).toThrow()
    }
  })

  it.for([
    ['<html>nothing here</html>'],
    ['{"items":[]}'],
    ['{"metadata":{},"items":[{}]}'],
    ['{"items":[{}]}}'],
    ['{"items":[{}]]'],
  ])('%s is not a list', ([answer]) => {
    expect(() => read(answer!, 100).version()).toThrow()
  })
})
