import { describe, expect, test } from 'vitest'
import { compare, stateOf, varyingPlaces } from './state.ts'

function configMap(name: string, data: object, metadata: object = {}): object {
  const own = { name, namespace: 'default', uid: `uid-of-${name}`, resourceVersion: '1', ...metadata }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: own, data }
}

function state(...objects: object[]) {
  return stateOf(objects, () => true)
}

describe('a state', () => {
  test('J6: is the same for objects that differ in identity, version and time alone', () => {
    const one = state(configMap('a', { at: '2026-01-01T12:00:00Z', owner: 'uid-of-a' }))
    const other = state(
      configMap('a', { at: '2026-02-03T04:05:06.789Z', owner: 'x' }, { uid: 'x', resourceVersion: '7' }),
    )
    expect(compare(one, other)).toEqual([])
  })

  test('J17: names the object, the field and both values where it differs', () => {
    const one = state(configMap('a', { color: 'red', list: [1, 2] }), configMap('b', {}))
    const other = state(configMap('a', { color: 'blue', list: [1, 3] }))
    expect(compare(one, other)).toEqual([
      { object: 'ConfigMap default/a', path: 'data.color', expected: 'red', found: 'blue' },
      { object: 'ConfigMap default/a', path: 'data.list[1]', expected: 2, found: 3 },
      { object: 'ConfigMap default/b', path: '', expected: expect.anything(), found: undefined },
    ])
  })

  test('J6: numbers objects whose name a server generated', () => {
    const one = state(
      configMap('a-x7', {}, { generateName: 'a-' }),
      configMap('a-p2', {}, { generateName: 'a-' }),
    )
    expect([...one.keys()]).toEqual(['ConfigMap default/a-<1>', 'ConfigMap default/a-<2>'])
  })

  test('J6: has no values that a server assigns, and the status of own kinds alone', () => {
    const service = (clusterIP: string, port: number): object => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', namespace: 'default', uid: 'uid-of-a' },
      spec: { clusterIP, clusterIPs: [clusterIP], ports: [{ port }] },
      status: { loadBalancer: { ingress: clusterIP } },
    })
    const seen = (isOwn: boolean, ...parameters: Parameters<typeof service>) =>
      stateOf([service(...parameters)], () => isOwn)
    expect(compare(seen(false, '10.0.0.1', 80), seen(false, '10.0.0.2', 80))).toEqual([])
    expect(compare(seen(false, '10.0.0.1', 80), seen(false, '10.0.0.1', 81))).toMatchObject([
      { path: 'spec.ports[0].port' },
    ])
    expect(compare(seen(true, '10.0.0.1', 80), seen(true, '10.0.0.2', 80))).toMatchObject([
      { path: 'status.loadBalancer.ingress' },
    ])
  })

  test('J6: says how far a status is behind', () => {
    const object = (generation: number, observedGeneration: number): object => ({
      ...configMap('a', {}, { generation }),
      status: { observedGeneration },
    })
    expect(compare(state(object(1, 1)), state(object(4, 4)))).toEqual([])
    const [difference] = compare(state(object(1, 1)), state(object(4, 3)))
    expect(difference).toMatchObject({ expected: '<current>', found: '<1 behind>' })
  })
})

test('J7: places that vary from run to run do not count, nor places below them', () => {
  const varying = varyingPlaces(
    state(configMap('a', { password: 'x' })),
    state(configMap('a', { password: 'y' })),
  )
  const one = state(configMap('a', { password: 'x', color: 'red' }))
  expect(compare(one, state(configMap('a', { password: { hash: 'z' }, color: 'red' })), varying)).toEqual([])
  expect(compare(one, state(configMap('a', { password: 'z', color: 'blue' })), varying)).toMatchObject([
    { path: 'data.color' },
  ])
})
