import { describe, expect, test } from 'vitest'
import { patchSchemaOf, type PatchSchemaSource } from './patch-schema.ts'
import { applyStrategicMergePatch } from './strategic-merge-patch.ts'

const byName = { 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name' }

/** A small schema of a Pod, with the markers of the real one. */
const definitions: Record<string, PatchSchemaSource> = {
  Pod: {
    properties: {
      metadata: { $ref: '#/components/schemas/Metadata' },
      spec: { allOf: [{ $ref: '#/components/schemas/Spec' }] },
    },
  },
  Metadata: {
    properties: {
      labels: { additionalProperties: {} },
      finalizers: { items: {}, 'x-kubernetes-patch-strategy': 'merge' },
    },
  },
  Spec: {
    properties: {
      containers: { items: { $ref: '#/components/schemas/Container' }, ...byName },
      volumes: { items: {}, ...byName, 'x-kubernetes-patch-strategy': 'merge,retainKeys' },
      tolerations: { items: {} },
      strategy: { 'x-kubernetes-patch-strategy': 'retainKeys' },
      affinity: { 'x-kubernetes-patch-strategy': 'replace' },
    },
  },
  Container: {
    properties: {
      env: { items: {}, ...byName },
      ports: {
        items: {},
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'containerPort',
      },
    },
  },
}
const pod = patchSchemaOf({ $ref: '#/components/schemas/Pod' }, definitions)
const spec = patchSchemaOf({ $ref: '#/components/schemas/Spec' }, definitions)
const metadata = patchSchemaOf({ $ref: '#/components/schemas/Metadata' }, definitions)

const named = (...names: string[]) => names.map((name) => ({ name }))

type Case = [rule: string, target: object, patch: object, expected: object]

describe('A strategic merge patch', () => {
  test.each<Case>([
    ['merges objects', { labels: { a: '1' } }, { labels: { b: '2' } }, { labels: { a: '1', b: '2' } }],
    ['removes by null', { labels: { a: '1', b: '2' } }, { labels: { a: null } }, { labels: { b: '2' } }],
    ['adds without nulls', {}, { labels: { a: '1', b: null } }, { labels: { a: '1' } }],
    [
      'adds to a list of values',
      { finalizers: ['a', 'b'] },
      { finalizers: ['c'] },
      { finalizers: ['c', 'a', 'b'] },
    ],
    [
      'adds no value twice',
      { finalizers: ['a', 'b'] },
      { finalizers: ['b', 'c'] },
      { finalizers: ['a', 'b', 'c'] },
    ],
    ['removes a whole list', { finalizers: ['a'] }, { finalizers: null }, {}],
    [
      'deletes from a list of values',
      { finalizers: ['a', 'b', 'c'] },
      { '$deleteFromPrimitiveList/finalizers': ['a', 'c', 'x'] },
      { finalizers: ['b'] },
    ],
    ['has nothing to delete from', {}, { '$deleteFromPrimitiveList/finalizers': ['a'] }, {}],
    [
      'deletes and adds at once',
      { finalizers: ['a', 'b'] },
      {
        finalizers: ['c'],
        '$deleteFromPrimitiveList/finalizers': ['a'],
        '$setElementOrder/finalizers': ['b', 'c'],
      },
      { finalizers: ['b', 'c'] },
    ],
    [
      'sets the order of values',
      { finalizers: ['a', 'b', 'x'] },
      { '$setElementOrder/finalizers': ['b', 'a'] },
      { finalizers: ['b', 'a', 'x'] },
    ],
  ])('of metadata %s', (_, target, patch, expected) => {
    expect(applyStrategicMergePatch(target, patch, metadata)).toEqual(expected)
  })

  test.each<Case>([
    [
      'merges items by their key',
      { containers: [{ name: 'a', image: 'i', env: named('X') }, { name: 'b' }] },
      { containers: [{ name: 'a', image: 'j', env: named('Y') }] },
      { containers: [{ name: 'a', image: 'j', env: named('Y', 'X') }, { name: 'b' }] },
    ],
    [
      'puts new items before those that it does not name',
      { containers: named('a', 'b') },
      { containers: named('c') },
      { containers: named('c', 'a', 'b') },
    ],
    [
      'keeps an item that it does not name before the one that it followed',
      { containers: named('d', 'a') },
      { containers: named('a', 'b') },
      { containers: named('d', 'a', 'b') },
    ],
    [
      'deletes an item',
      { containers: named('a', 'b', 'c') },
      { containers: [{ name: 'b', $patch: 'delete' }] },
      { containers: named('a', 'c') },
    ],
    [
      'replaces a list',
      { containers: named('a', 'b') },
      { containers: [{ $patch: 'replace' }, { name: 'c' }] },
      { containers: named('c') },
    ],
    [
      'empties a list',
      { containers: named('a', 'b') },
      { containers: [{ $patch: 'replace' }] },
      { containers: [] },
    ],
    [
      'replaces lists that have no key to merge by',
      { tolerations: [{ key: 'a' }] },
      { tolerations: [{ key: 'b', value: null, $patch: 'delete' }] },
      { tolerations: [{ key: 'b', value: null, $patch: 'delete' }] },
    ],
    [
      'sets the order of items',
      { containers: named('a', 'b', 'c') },
      { '$setElementOrder/containers': named('c', 'a'), containers: [{ name: 'a', image: 'i' }] },
      { containers: [{ name: 'b' }, { name: 'c' }, { name: 'a', image: 'i' }] },
    ],
    [
      'sets an order that names what is not there',
      { containers: named('a', 'b') },
      { '$setElementOrder/containers': named('x', 'b', 'a') },
      { containers: named('b', 'a') },
    ],
    [
      'puts an ordered new item after those that outlive a deleted one',
      { containers: named('d', 'a') },
      {
        '$setElementOrder/containers': named('b'),
        containers: [{ name: 'b' }, { name: 'd', $patch: 'delete' }],
      },
      { containers: named('a', 'b') },
    ],
    [
      'adds an ordered list',
      {},
      {
        '$setElementOrder/containers': named('b', 'a'),
        containers: [{ name: 'b' }, { name: 'a', env: null }, { name: 'c', $patch: 'delete' }],
      },
      { containers: named('b', 'a') },
    ],
    ['orders nothing where there is nothing', {}, { '$setElementOrder/containers': named('a') }, {}],
    [
      'adds an item as it stands, with the directives in it',
      { containers: named('a') },
      {
        containers: [
          {
            name: 'b',
            '$setElementOrder/env': named('X'),
            env: [{ name: 'X' }, { name: 'Y', $patch: 'delete' }],
          },
        ],
      },
      {
        containers: [
          {
            name: 'b',
            '$setElementOrder/env': named('X'),
            env: [{ name: 'X' }, { name: 'Y', $patch: 'delete' }],
          },
          { name: 'a' },
        ],
      },
    ],
    [
      'merges the first of two items with one key',
      { containers: [{ name: 'a', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] }] },
      { containers: [{ name: 'a', ports: [{ containerPort: 80, name: 'web' }] }] },
      {
        containers: [
          {
            name: 'a',
            ports: [
              { containerPort: 80, name: 'web' },
              { containerPort: 80, protocol: 'UDP' },
            ],
          },
        ],
      },
    ],
    [
      'retains only the keys that it names',
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      { strategy: { type: 'Recreate' } },
    ],
    [
      'retains keys inside an item',
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { volumes: [{ $retainKeys: ['name', 'configMap'], name: 'v', configMap: { name: 'c' } }] },
      { volumes: [{ name: 'v', configMap: { name: 'c' } }] },
    ],
    [
      'replaces objects that the schema says to replace',
      { affinity: { a: 1, b: 2 } },
      { affinity: { b: 3 } },
      { affinity: { b: 3 } },
    ],
    [
      'replaces an object by directive',
      { strategy: { a: 1 } },
      { strategy: { $patch: 'replace', b: 2 } },
      { strategy: { b: 2 } },
    ],
    [
      'empties an object by directive',
      { strategy: { a: 1 } },
      { strategy: { $patch: 'delete' } },
      { strategy: {} },
    ],
    ['deletes nothing where there is nothing', {}, { strategy: { $patch: 'delete' } }, {}],
    ['replaces a value of another type', { strategy: 'x' }, { strategy: { a: 1 } }, { strategy: { a: 1 } }],
    ['adds fields that it does not know', {}, { other: { b: 2 } }, { other: { b: 2 } }],
  ])('of a spec %s', (_, target, patch, expected) => {
    const before = JSON.stringify([target, patch])
    expect(applyStrategicMergePatch(target, patch, spec)).toEqual(expected)
    expect(JSON.stringify([target, patch])).toBe(before)
  })

  test('follows references', () => {
    const target = { spec: { containers: [{ name: 'a', env: named('X') }] } }
    const patch = { spec: { containers: [{ name: 'a', env: named('Y') }] } }
    expect(applyStrategicMergePatch(target, patch, pod)).toEqual({
      spec: { containers: [{ name: 'a', env: named('Y', 'X') }] },
    })
  })

  test('shares nothing with what it was made from', () => {
    const target = { tolerations: [{ key: 'a' }] }
    const patch = { containers: [{ name: 'a', env: named('X') }] }
    const result = applyStrategicMergePatch(target, patch, spec) as typeof target & typeof patch
    result.tolerations[0]!.key = 'changed'
    result.containers[0]!.env[0]!.name = 'changed'
    expect([target, patch]).toEqual([
      { tolerations: [{ key: 'a' }] },
      { containers: [{ name: 'a', env: named('X') }] },
    ])
  })

  test('takes __proto__ for a key like others', () => {
    const patch = JSON.parse('{"labels":{"__proto__":"x"},"__proto__":{"polluted":true}}')
    const result = applyStrategicMergePatch({ labels: {} }, patch, metadata)
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(Object.keys(result)).toEqual(['labels', '__proto__'])
  })

  test.each<[object, object, string, string]>([
    [
      { containers: named('a') },
      { containers: [{ image: 'i' }] },
      'PATCH_FAILED',
      'map: map[image:i] does not contain declared merge key: name',
    ],
    [
      { containers: named('a') },
      { containers: [{ $patch: 'delete' }] },
      'PATCH_FAILED',
      'does not contain declared merge key: name',
    ],
    [
      { containers: named('a') },
      { containers: ['b'] },
      'PATCH_FAILED',
      'list element types are not identical: [[map[name:a]] [b]]',
    ],
    [{ containers: [] }, { containers: [['b']] }, 'PATCH_UNPROCESSABLE', 'lists of lists are not supported'],
    [
      { containers: named('a') },
      { containers: [{ name: 'a', $patch: 'frob' }] },
      'PATCH_FAILED',
      'unknown patch type: frob in map: map[$patch:frob',
    ],
    [
      { strategy: { a: 1 } },
      { strategy: { $patch: 'frob' } },
      'PATCH_FAILED',
      'unknown patch type: frob in map: map[$patch:frob',
    ],
    [
      { containers: [] },
      { '$setElementOrder/conatiners': [] },
      'PATCH_FAILED',
      'unable to find api field in struct Spec for the json field "conatiners"',
    ],
    [
      { strategy: {} },
      { strategy: { $retainKeys: ['a'], b: 1 } },
      'PATCH_INVALID',
      'invalid patch format of retainKeys',
    ],
    [
      { strategy: {} },
      { strategy: { $retainKeys: 'a' } },
      'PATCH_INVALID',
      'invalid patch format of retainKeys',
    ],
    [
      { containers: [] },
      { '$setElementOrder/containers': 'a' },
      'PATCH_FAILED',
      'expected a []interface {}, but received a string',
    ],
    [
      { containers: named('a') },
      { '$setElementOrder/containers': named('a'), containers: null },
      'PATCH_FAILED',
      'expected a []interface {}, but received a %!s(<nil>)',
    ],
    [
      { containers: [] },
      { '$setElementOrder/containers': [] },
      'PATCH_FAILED',
      'no elements in any of the given slices',
    ],
    [
      { containers: named('a') },
      { '$setElementOrder/containers': ['a'] },
      'PATCH_FAILED',
      'value for key 0 is not a map',
    ],
    [
      { containers: named('a') },
      { '$setElementOrder/containers': [{ image: 'i' }] },
      'PATCH_FAILED',
      'map: map[image:i] does not contain declared merge key: name',
    ],
    [
      { containers: named('a') },
      { '$setElementOrder/containers': named('a'), containers: [null] },
      'PATCH_FAILED',
      'expected a map[string]interface {}, but received a %!s(<nil>)',
    ],
    [
      { containers: named('a') },
      { '$setElementOrder/containers': [1], containers: named('a') },
      'PATCH_FAILED',
      'expected a map[string]interface {}, but received a int64',
    ],
    [
      { containers: named('a') },
      { containers: [{ $patch: 'replace' }, { image: 'i' }] },
      'PATCH_FAILED',
      'map: map[image:i] does not contain declared merge key: name',
    ],
    [
      { containers: named('a') },
      { '$setElementOrder/containers': named('a'), containers: named('b') },
      'PATCH_FAILED',
      "doesn't match $setElementOrder list",
    ],
    [
      { containers: named('a') },
      { '$setElementOrder/containers': named('a', 'b'), containers: named('b', 'a') },
      'PATCH_FAILED',
      "doesn't match $setElementOrder list",
    ],
    [
      { tolerations: [{}] },
      { '$setElementOrder/tolerations': [{}], tolerations: [{}] },
      'PATCH_INVALID',
      '$setElementOrder cannot name objects in a list without a merge key',
    ],
    [
      { volumes: ['a'] },
      { $deleteFromPrimitiveList: ['a'] },
      'PATCH_INVALID',
      'invalid patch format of primitive list',
    ],
    [{}, [], 'PATCH_INVALID', 'a strategic merge patch is an object'],
  ])('does not fit %j with %j: %s, %s', (target, patch, code, message) => {
    expect(() => applyStrategicMergePatch(target, patch, spec)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    )
  })
})
