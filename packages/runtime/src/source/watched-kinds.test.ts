import { SimulatedClock, type AnyKind } from '@homeostat/api'
import { ConfigMap, Secret } from '@homeostat/api/kinds'
import { beforeEach, describe, expect, test } from 'vitest'
import { HandFedCache } from '../../test/hand-fed-cache.ts'
import type { ObjectEvent } from '../cache/informer.ts'
import { informerSource } from './informer-source.ts'
import { WatchedKinds } from './watched-kinds.ts'

let cache: HandFedCache
let stop: AbortController
let told: string[]

beforeEach(() => {
  cache = new HandFedCache()
  stop = new AbortController()
  told = []
})

const context = () => ({ cache, clock: new SimulatedClock(), signal: stop.signal })
const emit = (kind: AnyKind, { type, object }: ObjectEvent): void =>
  void told.push(`${type} ${kind.kind} ${object.metadata.name}`)
const object = (name: string) => ({ metadata: { namespace: 'default', name } })

test('a given informer can be watched too, until the signal aborts', async () => {
  cache.put(ConfigMap, object('a'))
  await informerSource(cache.informer(ConfigMap)).watch(context(), emit)
  cache.delete(ConfigMap, { namespace: 'default', name: 'a' })
  expect(told).toEqual(['added ConfigMap a', 'deleted ConfigMap a'])
  stop.abort(new Error('enough'))
  expect(cache.listeners(ConfigMap)).toBe(0)
  await expect(informerSource(cache.informer(ConfigMap)).watch(context(), emit)).rejects.toThrow('enough')
})

describe('kinds that are watched', () => {
  test('are those given at the start and those added later, with their existing objects', async () => {
    cache.put(ConfigMap, object('a'))
    cache.put(Secret, object('b'))
    const kinds = new WatchedKinds('mine', [ConfigMap])
    await kinds.watch(context(), emit)
    expect(told).toEqual(['added ConfigMap a'])
    expect([kinds.add(Secret), kinds.add(Secret)]).toEqual([true, false])
    cache.put(Secret, object('c'))
    expect(told.slice(1)).toEqual(['added Secret b', 'added Secret c'])
    expect(kinds.kinds).toEqual([ConfigMap, Secret])
  })

  test('report no events once they are removed, and everything again when they are added again', async () => {
    cache.put(ConfigMap, object('a'))
    const kinds = new WatchedKinds('mine', [ConfigMap])
    await kinds.watch(context(), emit)
    expect([kinds.remove(ConfigMap), kinds.remove(ConfigMap)]).toEqual([true, false])
    expect(cache.listeners(ConfigMap)).toBe(0)
    cache.put(ConfigMap, object('b'))
    expect(told).toEqual(['added ConfigMap a'])
    kinds.add(ConfigMap)
    expect(told.slice(1)).toEqual(['added ConfigMap a', 'added ConfigMap b'])
  })

  test('are waited for at the start, but not one that is removed before it was listed', async () => {
    cache.holdList(Secret)
    const kinds = new WatchedKinds('mine', [Secret])
    const started = kinds.watch(context(), emit)
    kinds.remove(Secret)
    await expect(started).resolves.toBeUndefined()
  })

  test('end with the signal, for those that were added later too', async () => {
    const kinds = new WatchedKinds('mine', [ConfigMap])
    await kinds.watch(context(), emit)
    kinds.add(Secret)
    stop.abort(new Error('enough'))
    expect([cache.listeners(ConfigMap), cache.listeners(Secret)]).toEqual([0, 0])
    await expect(kinds.watch(context(), emit)).rejects.toThrow('enough')
  })
})
