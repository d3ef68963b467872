import type { KubernetesObject } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import type { Client, Patch } from '../client/interface/client.ts'
import { FinalizerRegistry } from './finalizer-registry.ts'

const metadata = { namespace: 'default', name: 'x', uid: 'u', resourceVersion: '7' }
const object = (extra: object): any => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...metadata, ...extra },
})
const deletionTimestamp = '2026-01-01T12:00:00Z'

function setUp() {
  const patches: unknown[] = []
  const called: string[] = []
  const client = {
    patch: (_: unknown, __: unknown, { body }: Patch) => {
      patches.push(body)
      const { finalizers } = (body as KubernetesObject).metadata
      return Promise.resolve(object({ finalizers: finalizers ?? undefined }))
    },
  } as unknown as Client
  const registry = new FinalizerRegistry<typeof ConfigMap, { fail?: string }>(ConfigMap)
  for (const name of ['example.com/bucket', 'example.com/records']) {
    registry.register(name, (_, { fail }) => {
      called.push(name)
      if (fail === name) throw new Error('no answer from the store')
    })
  }
  return { registry, client, patches, called }
}

describe('an object that is not being deleted', () => {
  test('gets the finalizers that it lacks, under a lock, and keeps those of others', async () => {
    const { registry, client, patches, called } = setUp()
    const finalizers = ['other.com/x', 'example.com/records']
    const { deleting, object: after } = await registry.finalize(client, object({ finalizers }), {})
    expect(patches).toEqual([
      { metadata: { finalizers: [...finalizers, 'example.com/bucket'], resourceVersion: '7' } },
    ])
    expect([deleting, after.metadata.finalizers?.length, called]).toEqual([false, 3, []])
  })

  test('that has them all causes no write', async () => {
    const { registry, client, patches } = setUp()
    const given = object({ finalizers: ['example.com/bucket', 'example.com/records'] })
    expect(await registry.finalize(client, given, {})).toEqual({ object: given, deleting: false })
    expect(patches).toEqual([])
  })
})

describe('an object that is being deleted', () => {
  const finalizers = ['other.com/x', 'example.com/bucket', 'example.com/records']

  test('has each finalizer called and taken off; those of others stay', async () => {
    const { registry, client, patches, called } = setUp()
    const { deleting } = await registry.finalize(client, object({ finalizers, deletionTimestamp }), {})
    expect(deleting).toBe(true)
    expect(called).toEqual(['example.com/bucket', 'example.com/records'])
    expect(patches).toEqual([{ metadata: { finalizers: ['other.com/x'], resourceVersion: '7' } }])
  })

  test('keeps a finalizer that failed, and the failure is thrown when the others are off', async () => {
    const { registry, client, patches, called } = setUp()
    const finalizing = registry.finalize(client, object({ finalizers, deletionTimestamp }), {
      fail: 'example.com/bucket',
    })
    await expect(finalizing).rejects.toMatchObject({
      code: 'FINALIZER_FAILED',
      message: 'ConfigMap default/x cannot be deleted yet: example.com/bucket failed',
      cause: { message: 'no answer from the store' },
    })
    expect(called).toEqual(['example.com/bucket', 'example.com/records'])
    expect(patches).toMatchObject([{ metadata: { finalizers: ['other.com/x', 'example.com/bucket'] } }])
  })

  test('keeps a finalizer that is not done yet, which is not a failure', async () => {
    const { client, patches } = setUp()
    const registry = new FinalizerRegistry<typeof ConfigMap, object>(ConfigMap)
      .register('example.com/slow', async () => 'pending')
      .register('example.com/quick', () => {})
    const given = object({ finalizers: ['example.com/slow', 'example.com/quick'], deletionTimestamp })
    expect(await registry.finalize(client, given, {})).toMatchObject({ deleting: true })
    expect(patches).toMatchObject([{ metadata: { finalizers: ['example.com/slow'] } }])
  })

  test('has no finalizer called that it does not carry', async () => {
    const { registry, client, patches, called } = setUp()
    await registry.finalize(client, object({ finalizers: ['other.com/x'], deletionTimestamp }), {})
    expect([called, patches]).toEqual([[], []])
  })
})

test.each([
  ['pendng', `the clean-up returned "pendng": return 'pending' while it is not done`],
  ['Pending', 'the clean-up returned "Pending"'],
  [{ requeueAfter: '10s' }, 'the clean-up returned {"requeueAfter":"10s"}'],
  [{ requeue: true }, 'the clean-up returned {"requeue":true}'],
])('a clean-up that returns %j has not succeeded', async (result, message) => {
  const { client, patches } = setUp()
  const registry = new FinalizerRegistry(ConfigMap).register(
    'example.com/slow',
    async () => result as unknown,
  )
  const given = object({ deletionTimestamp, finalizers: ['example.com/slow'] })
  const failure = registry.finalize(client, given, undefined as never)
  await expect(failure).rejects.toMatchObject({
    code: 'FINALIZER_FAILED',
    cause: { code: 'FINALIZER_RESULT_INVALID', message: expect.stringContaining(message) },
  })
  expect(patches).toEqual([])
})

test.each([undefined, null, true, 'deleted', { status: 200 }, []])(
  'one that returns %j has',
  async (result) => {
    const { client, patches } = setUp()
    const registry = new FinalizerRegistry(ConfigMap).register('example.com/slow', () => result as unknown)
    await registry.finalize(
      client,
      object({ deletionTimestamp, finalizers: ['example.com/slow'] }),
      undefined as never,
    )
    expect(patches).toHaveLength(1)
  },
)

test('a name that is taken, or is not a name of a finalizer, is refused', () => {
  const { registry } = setUp()
  expect(() => registry.register('example.com/bucket', () => {})).toThrow(/is already registered/)
  expect(() => registry.register('cleanup', () => {})).toThrow(
    /"cleanup" is not a valid name: use one such as example.com\/clean-up/,
  )
  expect(() => registry.register('Example/x y', () => {})).toThrow(/is not a valid name/)
})

describe('an object that stays and is released', () => {
  const finalizers = ['other.com/x', 'example.com/bucket', 'example.com/records']

  test('has each finalizer called and taken off; those of others stay', async () => {
    const { registry, client, patches, called } = setUp()
    const released = await registry.release(client, object({ finalizers }), {})
    expect(called).toEqual(['example.com/bucket', 'example.com/records'])
    expect(patches).toEqual([{ metadata: { finalizers: ['other.com/x'], resourceVersion: '7' } }])
    expect(released.metadata.finalizers).toEqual(['other.com/x'])
  })

  test('keeps a finalizer that failed, and the error says so', async () => {
    const { registry, client, patches } = setUp()
    const fail = 'example.com/bucket'
    await expect(registry.release(client, object({ finalizers }), { fail })).rejects.toMatchObject({
      code: 'FINALIZER_FAILED',
      message: 'ConfigMap default/x keeps its finalizers: example.com/bucket failed',
    })
    expect(patches).toEqual([
      { metadata: { finalizers: ['other.com/x', 'example.com/bucket'], resourceVersion: '7' } },
    ])
  })

  test('without any of them causes no call and no write', async () => {
    const { registry, client, patches, called } = setUp()
    const given = object({ finalizers: ['other.com/x'] })
    expect(await registry.release(client, given, {})).toBe(given)
    expect([patches, called]).toEqual([[], []])
  })
})
