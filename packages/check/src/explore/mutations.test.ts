import { describe, expect, test } from 'vitest'
import { mutationsOf } from './mutations.ts'

const schema = {
  properties: {
    spec: {
      type: 'object' as const,
      properties: {
        image: { type: 'string' as const },
        nodes: { type: 'integer' as const, minimum: 1, maximum: 9 },
      },
      required: ['image', 'nodes'],
    },
  },
}

function specsOf(spec: object): unknown[] {
  const object = { apiVersion: 'x.example/v1', kind: 'X', metadata: { name: 'x' }, spec }
  return mutationsOf(object, schema).map((one) => one['spec'])
}

describe('changes of a spec', () => {
  test('MUT-1: a number becomes one less, one more, and each of its bounds', () => {
    const nodes = specsOf({ image: 'a', nodes: 4 }).map((spec: any) => spec.nodes)
    expect(nodes.filter((value) => value !== 4)).toEqual([3, 5, 1, 9])
  })

  test('MUT-2: a value outside of the bounds is not tried, and no value twice', () => {
    const nodes = specsOf({ image: 'a', nodes: 1 }).map((spec: any) => spec.nodes)
    expect(nodes.filter((value) => value !== 1)).toEqual([2, 9])
  })

  test('MUT-3: a text loses its last part', () => {
    const images = specsOf({ image: 'registry.example/web:1', nodes: 1 }).map((spec: any) => spec.image)
    expect(images).toContain('registry.example/web')
  })

  test('MUT-4: the first changes are of different fields', () => {
    const [first, second] = specsOf({ image: 'web:1', nodes: 4 })
    expect([first, second]).toEqual([
      { image: 'web:12', nodes: 4 },
      { image: 'web:1', nodes: 3 },
    ])
  })
})
