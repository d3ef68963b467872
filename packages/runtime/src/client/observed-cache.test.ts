import { describe, expect, it, vi } from 'vitest'
import { configMap, ConfigMap, json, ScriptedApi } from '../../test/scripted-api.ts'
import { scriptedClient } from '../../test/scripted-client.ts'
import type { ClientCache } from './client-cache.ts'

const key = { namespace: 'default', name: 'a' }

describe('a cache observes', () => {
  function cached(api: ScriptedApi) {
    const cache = {
      get: vi.fn<() => Promise<any>>(),
      list: vi.fn<() => Promise<any>>(),
      keeps: () => true,
      keepsMetadataOnly: () => false,
      observeWrite: vi.fn<ClientCache['observeWrite']>(),
      observeDelete: vi.fn<ClientCache['observeDelete']>(),
    }
    return { cache, ...scriptedClient(api, { cache }) }
  }

  it('each object that a write returns, and answers reads', async () => {
    const written = configMap('a', '6')
    const { client, cache } = cached(new ScriptedApi().otherwise(json(written)))
    cache.get.mockResolvedValue(configMap('a', '5'))
    cache.list.mockResolvedValue([])
    expect(await client.get(ConfigMap, key)).toMatchObject({ metadata: { resourceVersion: '5' } })
    expect(await client.list(ConfigMap)).toEqual([])
    await client.create(ConfigMap, { metadata: key })
    await client.update(ConfigMap, written)
    await client.patch(ConfigMap, key, { type: 'merge', body: { a: 1 } })
    expect(cache.observeWrite).toHaveBeenCalledTimes(3)
    expect(cache.observeWrite).toHaveBeenLastCalledWith(ConfigMap, written)
  })

  it('nothing of a dry run', async () => {
    const { client, cache } = cached(new ScriptedApi().otherwise(json(configMap('a', '6'))))
    await client.update(ConfigMap, configMap('a', '5'), { dryRun: true })
    await client.delete(ConfigMap, key, { dryRun: true })
    expect(cache.observeWrite).not.toHaveBeenCalled()
    expect(cache.observeDelete).not.toHaveBeenCalled()
  })

  const named = expect.objectContaining(key)
  it.each<[string, object, 'deleted' | 'written']>([
    ['a Status', { kind: 'Status', apiVersion: 'v1', status: 'Success', details: { uid: 'u1' } }, 'deleted'],
    ['the object as it was', { ...configMap('a', '6', { uid: 'u1' }) }, 'deleted'],
    ['an object that waits for a finalizer', leaving({ finalizers: ['x'] }), 'written'],
    ['a Pod that has a grace period', leaving({ deletionGracePeriodSeconds: 30 }), 'written'],
    [
      'a Namespace whose content is being deleted',
      { ...leaving({}), spec: { finalizers: ['kubernetes'] } },
      'written',
    ],
    ['a Pod that was deleted by force', leaving({ deletionGracePeriodSeconds: 0 }), 'deleted'],
  ])('the result of a deletion answered with %s', async (_, answer, expected) => {
    const { client, cache } = cached(new ScriptedApi().next(json(answer)))
    await client.delete(ConfigMap, key)
    const told = { deleted: cache.observeDelete.mock.calls, written: cache.observeWrite.mock.calls }
    expect(told).toEqual({
      deleted: [],
      written: [],
      [expected]: [expected === 'deleted' ? [ConfigMap, named, 'u1'] : [ConfigMap, answer]],
    })
  })

  it('a deletion when a write removes the last finalizer of an object that is being deleted', async () => {
    const { client, cache } = cached(new ScriptedApi().next(json(leaving({ finalizers: [] }))))
    await client.patch(ConfigMap, key, { type: 'merge', body: { metadata: { finalizers: null } } })
    expect(cache.observeWrite).not.toHaveBeenCalled()
    expect(cache.observeDelete).toHaveBeenCalledExactlyOnceWith(ConfigMap, expect.objectContaining(key), 'u1')
  })

  it('the deletion of many by a new list: deleted objects, and those that wait for finalizers', async () => {
    const items = [configMap('a', '5', { uid: 'u1' }), configMap('b', '6')]
    const list = (objects: object[]) =>
      json({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '9' }, items: objects })
    const waiting = leaving({ finalizers: ['x'] })
    const { client, cache } = cached(new ScriptedApi().next(list(items)).next(list([waiting])))
    await client.deleteAllOf(ConfigMap, { namespace: 'default', labels: 'app' })
    expect(cache.observeWrite).toHaveBeenCalledExactlyOnceWith(ConfigMap, waiting)
    expect(cache.observeDelete).toHaveBeenCalledExactlyOnceWith(ConfigMap, expect.anything(), 'uid-b')
  })

  function leaving(metadata: object): object {
    const object = configMap('a', '6', { uid: 'u1' })
    return {
      ...object,
      metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T12:00:00Z', ...metadata },
    }
  }
})
