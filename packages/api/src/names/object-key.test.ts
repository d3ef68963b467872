import { describe, expect, expectTypeOf, it } from 'vitest'
import { defineKind, schema as s, type KeyOf } from '../index.ts'
import { formatKey, keyOf, parseKey, type ObjectKey } from './object-key.ts'

const Room = defineKind({ group: 'demo.example.com', version: 'v1', kind: 'Room', spec: s.object({}) })
const House = defineKind({
  group: 'demo.example.com',
  version: 'v1',
  kind: 'House',
  scope: 'Cluster',
  spec: s.object({}),
})

describe('the text of a key', () => {
  it.each([[{ namespace: 'team', name: 'web' }, 'team/web'] as const, [{ name: 'web' }, 'web'] as const])(
    'of %j is %s, and back',
    (key, text) => {
      expect(formatKey(key)).toBe(text)
      expect(parseKey(text)).toEqual(key)
      expect(keyOf({ metadata: parseKey(text) })).toEqual(key)
    },
  )

  it('is read as the key of a kind, with the types of its scope', () => {
    const room = parseKey('team/web', Room)
    const house = parseKey('web', House)
    expect(room).toEqual({ namespace: 'team', name: 'web' })
    expect(house).toEqual({ name: 'web' })
    expectTypeOf(room).toEqualTypeOf<KeyOf<typeof Room> | undefined>()
    expectTypeOf(house).toEqualTypeOf<KeyOf<typeof House> | undefined>()
    expectTypeOf(parseKey('team/web')).toEqualTypeOf<ObjectKey>()
  })

  it.each([undefined, '', 'web', '/web', 'team/', 'team/web/door', '/'])(
    'of an object with a namespace is not %j',
    (text) => {
      expect(parseKey(text, Room)).toBe(undefined)
    },
  )

  it.each([undefined, '', 'team/web', '/web', '/'])('of an object without a namespace is not %j', (text) => {
    expect(parseKey(text, House)).toBe(undefined)
  })
})
