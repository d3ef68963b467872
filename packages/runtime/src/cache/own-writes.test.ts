import { SimulatedClock } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { configMap as parsedConfigMap } from '../../test/scripted-api.ts'
import { ServedObject } from '../json/served-object.ts'
import { ObjectStore } from './object-store.ts'
import { OwnWrites } from './own-writes.ts'

function configMap(...args: Parameters<typeof parsedConfigMap>): ServedObject {
  return ServedObject.of(parsedConfigMap(...args))
}

function setUp() {
  const [store, clock] = [new ObjectStore(), new SimulatedClock()]
  return { store, clock, writes: new OwnWrites(store, clock) }
}

const key = { namespace: 'default', name: 'a' }

describe('own writes', () => {
  it('are dropped once the watch has shown them', () => {
    const { writes } = setUp()
    writes.wrote(configMap('a', '5'), '3')
    writes.wrote(configMap('b', '6'), '3')
    expect(writes.size).toBe(2)
    writes.shown(configMap('a', '5'))
    writes.shown(configMap('b', '7'))
    expect(writes.size).toBe(0)
  })

  it('are not undone by an older write that is reported later', () => {
    const { writes } = setUp()
    writes.wrote(configMap('a', '6'), '3')
    writes.wrote(configMap('a', '5'), '3')
    expect(writes.get(key)?.resourceVersion).toBe('6')
  })

  it('that changed nothing are not kept where the store has them', () => {
    const { writes, store } = setUp()
    store.set(configMap('a', '5'))
    writes.wrote(configMap('a', '5'), '3')
    expect(writes.size).toBe(0)
  })

  it('that changed nothing are kept where the store is behind another’s change', () => {
    const { writes, store } = setUp()
    store.set(configMap('a', '5'))
    writes.wrote(configMap('a', '9'), '5')
    expect(writes.get(key)?.resourceVersion).toBe('9')
  })

  it('with versions that cannot be compared leave the store as it is', () => {
    const { writes, store } = setUp()
    store.set(configMap('a', 'x'))
    writes.wrote(configMap('a', 'y'), 'x')
    expect(writes.get(key)?.resourceVersion).toBe('x')
  })
})

describe('own deletions', () => {
  it('are dropped once the watch has shown them', () => {
    const { writes } = setUp()
    writes.deleted(key, 'uid-a')
    expect(writes.size).toBe(1)
    writes.shownDeleted(configMap('a', '9'))
    expect(writes.size).toBe(0)
  })

  it('that the watch had shown before are dropped after ten minutes', async () => {
    const { writes, clock } = setUp()
    writes.deleted(key, 'uid-a')
    await clock.advance('9m')
    writes.reached('100')
    expect(writes.size).toBe(1)
    await clock.advance('1m')
    writes.reached('101')
    expect(writes.size).toBe(0)
  })

  it('of unknown objects change nothing', () => {
    const { writes } = setUp()
    writes.deleted(key, undefined)
    expect(writes.size).toBe(0)
  })

  it('hide the object in lists, in all namespaces and in its own', () => {
    const { writes, store } = setUp()
    store.set(configMap('a', '5'))
    store.set(configMap('b', '5', { namespace: 'other' }))
    writes.deleted(key, 'uid-a')
    expect(writes.list().map((object) => object.name)).toEqual(['b'])
    expect(writes.list('default')).toEqual([])
  })
})
