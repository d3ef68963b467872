import { SimulatedClock, type AnyKind, type ManagedFieldsEntry } from '@homeostat/api'
import { describe, expect, it, vi } from 'vitest'
import { ConfigMap, failure, json, ScriptedApi, Widget } from '../../test/scripted-api.ts'
import { directTransport } from '../transport/direct-transport.ts'
import type { ClientCache } from './client-cache.ts'
import { createClient, type ClientOptions } from './create-client.ts'

function clientOf(api: ScriptedApi, options: Partial<ClientOptions> = {}) {
  const clock = new SimulatedClock()
  const transport = directTransport(api.handler, { clock })
  return createClient({ transport, clock, fieldManager: 'me', ...options })
}

const Pod: AnyKind = { ...ConfigMap, kind: 'Pod', plural: 'pods' }
const key = { namespace: 'default', name: 'a' }
const metadata = { ...key, uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T12:00:00Z' }
const scale = {
  apiVersion: 'autoscaling/v1' as const,
  kind: 'Scale' as const,
  metadata,
  spec: { replicas: 2 },
  status: { replicas: 2 },
}
const success = json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })

describe('a subresource', () => {
  it('is created with the name of its object, and its answer is its own', async () => {
    const api = new ScriptedApi().next(success)
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { uid: 'u' }, target: { name: 'node-1' } }
    const answer = await clientOf(api).subresource('binding').create(Pod, key, binding)
    expect(answer.kind).toBe('Status')
    expect(api.last()).toBe('POST /api/v1/namespaces/default/pods/a/binding?fieldManager=me')
    expect(api.bodyOf(0)).toEqual({ ...binding, metadata: { namespace: 'default', name: 'a', uid: 'u' } })
  })

  it('is read, replaced and patched', async () => {
    const api = new ScriptedApi().otherwise(json({ apiVersion: 'v1', kind: 'Pod', metadata }))
    const part = clientOf(api).subresource('ephemeralcontainers')
    await part.get(Pod, key)
    await part.update(Pod, key, { apiVersion: 'v1', kind: 'Pod', spec: {} })
    await part.patch(Pod, key, { type: 'strategic', body: { spec: {} } }, { dryRun: true })
    expect(api.described()).toEqual([
      'GET /api/v1/namespaces/default/pods/a/ephemeralcontainers',
      'PUT /api/v1/namespaces/default/pods/a/ephemeralcontainers?fieldManager=me',
      'PATCH /api/v1/namespaces/default/pods/a/ephemeralcontainers?fieldManager=me&dryRun=All',
    ])
  })

  it('is named in the error of a refused write', async () => {
    const refused = failure(403, 'Forbidden', { name: 'a' }, {}, 'user cannot create pods/eviction')
    const create = clientOf(new ScriptedApi().next(refused)).subresource('eviction').create(Pod, key, {})
    await expect(create).rejects.toThrow(
      /^create of pods\/eviction default\/a failed: .*Grant create on pods\/eviction/,
    )
  })

  it('updates the cache with the object of its answer, or else with the object that is read afterwards', async () => {
    const observeWrite = vi.fn<ClientCache['observeWrite']>()
    const observeDelete = vi.fn<ClientCache['observeDelete']>()
    const cache = { keeps: () => true, observeWrite, observeDelete } as unknown as ClientCache
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata }
    const resized = { ...pod, metadata: { ...metadata, resourceVersion: '9' } }
    const api = new ScriptedApi().next(success).next(json(pod)).next(json(resized))
    const client = clientOf(api, { cache })
    await client.subresource('binding').create(Pod, key, {})
    expect(observeWrite).toHaveBeenCalledExactlyOnceWith(Pod, pod)
    await client.subresource('resize').update(Pod, key, {})
    expect(observeWrite).toHaveBeenLastCalledWith(Pod, resized)
    expect(api.described()).toHaveLength(3)
    api.next(success).next(failure(404, 'NotFound', { name: 'a', kind: 'pods' }))
    await client.subresource('eviction').create(Pod, key, {})
    expect(observeDelete).toHaveBeenCalledExactlyOnceWith(Pod, { namespace: 'default', name: 'a' }, undefined)
    api.next(success).next(failure(403, 'Forbidden', { name: 'a' }))
    await client.subresource('binding').create(Pod, key, {})
    expect(observeWrite).toHaveBeenCalledTimes(2)
  })

  it('reads nothing for a cache that has no copy of the kind, and after a dry run', async () => {
    for (const [keeps, dryRun] of [
      [false, false],
      [true, true],
    ]) {
      const cache = { keeps: () => keeps } as unknown as ClientCache
      const api = new ScriptedApi().next(success)
      await clientOf(api, { cache }).subresource('binding').create(Pod, key, {}, { dryRun })
      expect(api.described()).toHaveLength(1)
    }
  })
})

describe('the status', () => {
  it('is replaced without the managed fields of the object, which a server ignores there', async () => {
    const managedFields = [{ manager: 'other', operation: 'Update' as const, apiVersion: 'example.com/v1' }]
    const widget = { apiVersion: 'example.com/v1' as const, kind: 'Widget' as const, metadata }
    const api = new ScriptedApi().otherwise(json(widget))
    await clientOf(api).status.update(Widget, { ...widget, metadata: { ...metadata, managedFields } })
    expect(api.bodyOf(0)).toEqual(widget)
  })
})

describe('scale', () => {
  const path = '/apis/example.com/v1/namespaces/default/widgets/a'
  const owned = (replicas: number): object => {
    const managedFields: ManagedFieldsEntry[] = [
      {
        manager: 'me',
        operation: 'Apply',
        apiVersion: 'example.com/v1',
        subresource: 'scale',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      },
    ]
    return {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { ...metadata, managedFields },
      spec: { replicas },
    }
  }

  it('is read and replaced', async () => {
    const api = new ScriptedApi().otherwise(json(scale))
    const client = clientOf(api)
    const read = (await client.scale.get(Widget, key))!
    await client.scale.update(Widget, { ...read, spec: { replicas: 5 } })
    expect(api.described()).toEqual([`GET ${path}/scale`, `PUT ${path}/scale?fieldManager=me`])
    expect(api.bodyOf(1)).toEqual({ ...scale, spec: { replicas: 5 } })
  })

  it('of an object that is not there is undefined', async () => {
    const api = new ScriptedApi().next(failure(404, 'NotFound', { name: 'a' }))
    expect(await clientOf(api).scale.get(Widget, key)).toBeUndefined()
  })

  it('refuses an apply without a number, which would change nothing', async () => {
    const api = new ScriptedApi()
    const wrong = 5 as unknown as { replicas: number }
    await expect(clientOf(api).scale.apply(Widget, key, wrong)).rejects.toThrow(
      'scale.apply of Widget a needs a whole number of replicas: give { replicas: 5 }, for example',
    )
    expect(api.described()).toEqual([])
  })

  it('is applied with the number alone', async () => {
    const api = new ScriptedApi().next(json(owned(1))).next(json(scale))
    expect(await clientOf(api).scale.apply(Widget, key, { replicas: 2 })).toEqual(scale)
    expect(api.described()).toEqual([`GET ${path}`, `PATCH ${path}/scale?force=true&fieldManager=me`])
    expect(api.requests[1]!.headers['content-type']).toBe('application/apply-patch+yaml')
    expect(api.bodyOf(1)).toEqual({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: key,
      spec: { replicas: 2 },
    })
  })

  it('is not written where it is already so by the same manager', async () => {
    const api = new ScriptedApi().next(json(owned(2))).next(json(scale))
    expect(await clientOf(api).scale.apply(Widget, key, { replicas: 2 })).toEqual(scale)
    expect(api.described()).toEqual([`GET ${path}`, `GET ${path}/scale`])
  })

  it('is compared at the path that the kind names', async () => {
    const Elsewhere: AnyKind = {
      ...Widget,
      subresources: {
        status: true,
        scale: { specReplicasPath: '.spec.size.count', statusReplicasPath: '.status.count' },
      },
    }
    const live = owned(2) as { metadata: { managedFields: ManagedFieldsEntry[] } }
    live.metadata.managedFields[0]!.fieldsV1 = { 'f:spec': { 'f:size': { 'f:count': {} } } }
    const api = new ScriptedApi().next(json({ ...live, spec: { size: { count: 2 } } })).next(json(scale))
    await clientOf(api).scale.apply(Elsewhere, key, { replicas: 2 })
    expect(api.described()).toEqual([`GET ${path}`, `GET ${path}/scale`])
  })
})

describe('how fields are checked, and whether anything is stored', () => {
  const write = { metadata: { namespace: 'default', name: 'a' } }

  it('is set by the write', async () => {
    const api = new ScriptedApi().otherwise(json({ ...write, apiVersion: 'v1', kind: 'ConfigMap' }))
    await clientOf(api).create(ConfigMap, write, { fieldValidation: 'Strict' })
    expect(api.last()).toBe(
      'POST /api/v1/namespaces/default/configmaps?fieldManager=me&fieldValidation=Strict',
    )
  })

  it('is set by the client where the write does not set it', async () => {
    const api = new ScriptedApi().otherwise(json({ ...write, apiVersion: 'v1', kind: 'ConfigMap' }))
    const client = clientOf(api, { fieldValidation: 'Strict', dryRun: true })
    await client.create(ConfigMap, write)
    await client.apply(ConfigMap, write, { fieldValidation: 'Ignore' })
    await client.delete(ConfigMap, key)
    const query = 'fieldManager=me&dryRun=All&fieldValidation'
    expect(api.described()).toEqual([
      `POST /api/v1/namespaces/default/configmaps?${query}=Strict`,
      `PATCH /api/v1/namespaces/default/configmaps/a?force=true&${query}=Ignore`,
      'DELETE /api/v1/namespaces/default/configmaps/a',
    ])
    expect(api.bodyOf(2)).toMatchObject({ dryRun: ['All'] })
  })
})
