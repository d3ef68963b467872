import { describe, expect, test } from 'vitest'
import {
  applyJsonPatch,
  jsonPatchSteps,
  MAX_JSON_PATCH_OPERATIONS,
  type JsonPatchOperation,
} from './json-patch.ts'

type Case = [document: unknown, operations: JsonPatchOperation[], expected: unknown]

describe('A JSON patch', () => {
  test.each<Case>([
    [{ a: 1 }, [], { a: 1 }],
    [{ a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
    [{ a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
    [{ a: [1, 3] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2, 3] }],
    [{ a: [1] }, [{ op: 'add', path: '/a/1', value: 2 }], { a: [1, 2] }],
    [{ a: [1] }, [{ op: 'add', path: '/a/-', value: 2 }], { a: [1, 2] }],
    [{ a: [] }, [{ op: 'add', path: '/a/-', value: [1] }], { a: [[1]] }],
    [{ a: 1 }, [{ op: 'replace', path: '', value: [] }], []],
    [{ a: 1 }, [{ op: 'add', path: '/', value: 2 }], { a: 1, '': 2 }],
    [{ a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
    [{ a: [1, 2] }, [{ op: 'remove', path: '/a/0' }], { a: [2] }],
    [{ a: { b: [{ c: 1 }] } }, [{ op: 'replace', path: '/a/b/0/c', value: 2 }], { a: { b: [{ c: 2 }] } }],
    [{ a: [1, 2] }, [{ op: 'replace', path: '/a/1', value: { b: 1 } }], { a: [1, { b: 1 }] }],
    [{ a: 1 }, [{ op: 'move', from: '/a', path: '/b' }], { b: 1 }],
    [{ a: [1, 2, 3] }, [{ op: 'move', from: '/a/0', path: '/a/2' }], { a: [2, 3, 1] }],
    [{ a: [1, 2] }, [{ op: 'move', from: '/a/0', path: '/a/-' }], { a: [2, 1] }],
    [{ a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
    [{ a: 1, ab: {} }, [{ op: 'move', from: '/a', path: '/ab/c' }], { ab: { c: 1 } }],
    [{ a: { b: 1 } }, [{ op: 'copy', from: '/a', path: '/c' }], { a: { b: 1 }, c: { b: 1 } }],
    [
      { a: { b: [1, { c: null }] } },
      [{ op: 'test', path: '/a', value: { b: [1, { c: null }] } }],
      { a: { b: [1, { c: null }] } },
    ],
    [
      { 'a/b': 1, 'm~n': 2, '~1': 3 },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'remove', path: '/m~0n' },
        { op: 'remove', path: '/~01' },
      ],
      {},
    ],
    [{ a: null }, [{ op: 'test', path: '/a', value: null }], { a: null }],
    [{ a: 1 }, [{ op: 'add', path: '/b' } as unknown as JsonPatchOperation], { a: 1, b: null }],
  ])('makes of %j with %j %j', (document, operations, expected) => {
    const before = JSON.stringify([document, operations])
    expect(applyJsonPatch(document, operations)).toEqual(expected)
    expect(JSON.stringify([document, operations])).toBe(before)
  })

  // Where kube-apiserver 1.36 is more generous than RFC 6902.
  test.each<Case>([
    [{ a: {} }, [{ op: 'replace', path: '/a/b', value: 1 }], { a: { b: 1 } }],
    [{ a: {} }, [{ op: 'test', path: '/a/b', value: null }], { a: {} }],
    [{ a: {} }, [{ op: 'copy', from: '/a/b', path: '/a/c' }], { a: { c: null } }],
    [{ a: [1, 2] }, [{ op: 'add', path: '/a/-1', value: 3 }], { a: [1, 2, 3] }],
    [{ a: [1, 2] }, [{ op: 'add', path: '/a/-3', value: 3 }], { a: [3, 1, 2] }],
    [{ a: [1, 2] }, [{ op: 'remove', path: '/a/-1' }], { a: [1] }],
    [{ a: [1, 2] }, [{ op: 'test', path: '/a/01', value: 2 }], { a: [1, 2] }],
    [{ a: 1 }, [{ op: 'add', path: 'ignored/b' as '', value: 2 }], { a: 1, b: 2 }],
  ])('makes of %j with %j %j, as Kubernetes does', (document, operations, expected) => {
    expect(applyJsonPatch(document, operations)).toEqual(expected)
  })

  test.each<[unknown, JsonPatchOperation[], string]>([
    [{}, [{ op: 'remove', path: '/a' }], 'nothing exists at this path'],
    [{ a: 1 }, [{ op: 'remove', path: '' }], 'path must be a JSON pointer that begins with "/"'],
    [{ a: 1 }, [{ op: 'add', path: '', value: {} }], 'path must be a JSON pointer that begins with "/"'],
    [{ a: 1 }, [{ op: 'copy', from: '', path: '/c' }], 'from must be a JSON pointer that begins with "/"'],
    [{ a: 1 }, [{ op: 'test', path: 'a' as '', value: 1 }], 'that is empty or begins with "/"'],
    [{ a: 1 }, [null as never], 'op must be add'],
    [{}, [{ op: 'add', path: '/a/b', value: 1 }], 'there is no object or list at "a" of "/a/b"'],
    [{ a: 'x' }, [{ op: 'add', path: '/a/0', value: 1 }], 'there is no object or list at "a"'],
    [{ a: 1 }, [{ op: 'test', path: '/a', value: '1' }], 'the value at this path is different'],
    [{}, [{ op: 'test', path: '/toString', value: 1 }], 'the value at this path is different'],
    [{ a: [1] }, [{ op: 'add', path: '/a/2', value: 1 }], 'the list has 1 items'],
    [{ a: [1] }, [{ op: 'add', path: '/a/-3', value: 1 }], 'the list has 1 items'],
    [{ a: [1] }, [{ op: 'replace', path: '/a/1', value: 1 }], 'the list has 1 items'],
    [{ a: [1] }, [{ op: 'remove', path: '/a/-2' }], 'the list has 1 items'],
    [{ a: [1] }, [{ op: 'remove', path: '/a/-' }], '"-" is not an index'],
    [{ a: [1] }, [{ op: 'remove', path: '/a/length' }], '"length" is not an index'],
    [{ a: [1] }, [{ op: 'test', path: '/a/1e0', value: 1 }], '"1e0" is not an index'],
    [{ a: {} }, [{ op: 'move', from: '/a', path: '/a/b' }], 'a value cannot be moved into itself'],
    [{}, [{ op: 'move', from: '/a', path: '/b' }], 'nothing exists at this path'],
    [{}, [{ op: 'add', path: '/__proto__/polluted', value: 1 }], 'there is no object or list at "__proto__"'],
    [{}, [{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }], 'at "constructor"'],
  ])('does not fit %j with %j: %s', (document, operations, message) => {
    expect(() => applyJsonPatch(document, operations)).toThrow(
      expect.objectContaining({ code: 'PATCH_FAILED', message: expect.stringContaining(message) }),
    )
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test('says which operation does not fit, and leaves the document as it was', () => {
    const document = { a: 1 }
    const operations: JsonPatchOperation[] = [
      { op: 'add', path: '/b', value: 1 },
      { op: 'remove', path: '/c' },
    ]
    expect(() => applyJsonPatch(document, operations)).toThrow(
      'operation 1, remove "/c": nothing exists at this path',
    )
    expect(document).toEqual({ a: 1 })
  })

  test('takes __proto__ for a key like others', () => {
    const result = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { x: 1 } }]) as object
    expect(Object.keys(result)).toEqual(['__proto__'])
    expect((result as { x?: number }).x).toBeUndefined()
    expect(applyJsonPatch(result, [{ op: 'replace', path: '/__proto__/x', value: 2 }])).toEqual(
      JSON.parse('{"__proto__":{"x":2}}'),
    )
  })

  test.each<[unknown, string]>([
    [{ op: 'remove', path: '/a' }, 'a JSON patch is a list of operations'],
    [[1], 'operation 0 of the JSON patch: it must be an object'],
  ])('%j is not one', (operations, message) => {
    expect(() => applyJsonPatch({}, operations as JsonPatchOperation[])).toThrow(
      expect.objectContaining({ code: 'PATCH_INVALID', message: expect.stringContaining(message) }),
    )
  })

  test.each<[unknown, string]>([
    [[{ op: 'frob', path: '/a' }], 'op must be add, remove, replace, move, copy or test, not "frob"'],
    [[{ path: '/a' }], 'op must be'],
    [[{ op: 'add', value: 1 }], 'path must be a JSON pointer'],
    [[{ op: 'add', path: 'a', value: 1 }], 'path must be a JSON pointer'],
    [[{ op: 'move', path: '/a' }], 'from must be a JSON pointer'],
  ])('%j cannot be applied to anything', (operations, message) => {
    expect(() => applyJsonPatch({}, operations as JsonPatchOperation[])).toThrow(
      expect.objectContaining({ code: 'PATCH_FAILED', message: expect.stringContaining(message) }),
    )
  })

  test('of more than ten thousand operations is refused before any is applied', () => {
    const operations = Array.from(
      { length: MAX_JSON_PATCH_OPERATIONS + 1 },
      () => ({ op: 'test', path: '/a', value: 1 }) as const,
    )
    expect(() => applyJsonPatch({ a: 1 }, operations)).toThrow(
      expect.objectContaining({
        code: 'PATCH_TOO_LARGE',
        message: 'The allowed maximum operations in a JSON patch is 10000, got 10001',
      }),
    )
    expect(applyJsonPatch({ a: 1 }, operations.slice(1))).toEqual({ a: 1 })
  })

  test('of copies that grow with each other is refused before they fill the memory', () => {
    const operations = Array.from(
      { length: 40 },
      (_, index) => ({ op: 'copy', from: '/a', path: `/a/${index}` }) as const,
    )
    expect(() => applyJsonPatch({ a: { text: 'x'.repeat(100) } }, operations)).toThrow(
      expect.objectContaining({
        code: 'PATCH_FAILED',
        message: expect.stringContaining('copies more than 3145728 characters'),
      }),
    )
  })

  test('can be applied step by step, and says how many items each step moved', () => {
    const operations = [
      { op: 'add', path: '/list/0', value: 'a' },
      { op: 'add', path: '/list/-', value: 'b' },
      { op: 'remove', path: '/list/1' },
      { op: 'move', from: '/list/0', path: '/list/1' },
      { op: 'replace', path: '/key', value: 1 },
    ] as const
    const document = { list: [1, 2, 3] }
    const steps = jsonPatchSteps(document, operations)
    const moved: number[] = []
    let step = steps.next()
    for (; !step.done; step = steps.next()) moved.push(step.value)
    expect(moved).toEqual([3, 0, 3, 5, 0])
    expect(step.value).toEqual(applyJsonPatch(document, operations))
  })
})
