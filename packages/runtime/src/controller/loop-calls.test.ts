import { type ObjectKey } from '@homeostat/api'
import { ConfigMap, Deployment, Namespace, Secret } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import { forObject } from '../handler/for-object.ts'
import { generationChanged } from '../predicate/changed.ts'
import { describeCauses } from '../reconcile/describe-cause.ts'
import { Channel } from '../source/channel.ts'
import { every } from '../source/every.ts'
import { controller } from './builder.ts'
import { setUp } from '../../test/loop-bench.ts'

describe('a reconcile is called', () => {
  test('when an object of its kind is created, updated and deleted', async () => {
    const { clock, cache, loop, put } = setUp()
    const { calls } = loop(() => {})
    await clock.settle()
    put('a')
    await clock.settle()
    put('a', { labels: { changed: 'yes' } })
    await clock.settle()
    cache.delete(ConfigMap, { namespace: 'default', name: 'a' })
    await clock.settle()
    expect(calls).toEqual([
      { at: 0, name: 'default/a', why: 'ConfigMap default/a was created' },
      { at: 0, name: 'default/a', why: 'ConfigMap default/a was updated (labels)' },
      { at: 0, name: 'default/a', why: 'ConfigMap default/a was deleted' },
    ])
  })

  test("when an object that it owns changes: with the owner's name, never the child's", async () => {
    const { clock, cache, loop } = setUp()
    const { calls } = loop(() => {})
    await clock.settle()
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'u', controller: true }
    cache.put(Deployment, { metadata: { namespace: 'default', name: 'child', ownerReferences: [owner] } })
    await clock.settle()
    cache.delete(Deployment, { namespace: 'default', name: 'child' })
    await clock.settle()
    expect(calls.map(({ name, why }) => `${name}: ${why}`)).toEqual([
      'default/owner: Deployment default/child was created',
      'default/owner: Deployment default/child was deleted',
    ])
  })

  test('not when the owner is of another kind, does not control the object, or there is none', async () => {
    const { clock, cache, loop } = setUp()
    const { calls } = loop(() => {})
    await clock.settle()
    const references = [
      [{ apiVersion: 'v1', kind: 'Secret', name: 'x', uid: 'u', controller: true }],
      [{ apiVersion: 'other/v1', kind: 'ConfigMap', name: 'x', uid: 'u', controller: true }],
      [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u' }],
      [],
    ]
    for (const [index, ownerReferences] of references.entries()) {
      cache.put(Deployment, { metadata: { namespace: 'default', name: `child-${index}`, ownerReferences } })
    }
    await clock.settle()
    expect(calls).toEqual([])
  })

  test('for the owner that lost a child as well as for the one that got it', async () => {
    const { clock, cache, loop } = setUp()
    const { calls } = loop(() => {})
    const owner = (name: string) => [
      { apiVersion: 'v1', kind: 'ConfigMap', name, uid: name, controller: true },
    ]
    cache.put(Deployment, { metadata: { namespace: 'default', name: 'child', ownerReferences: owner('a') } })
    await clock.settle()
    cache.put(Deployment, { metadata: { namespace: 'default', name: 'child', ownerReferences: owner('b') } })
    await clock.settle()
    expect(calls.map((call) => call.name)).toEqual(['default/a', 'default/a', 'default/b'])
  })

  test('when a watched kind says so, through the object itself or a mapping', async () => {
    const { clock, cache, mount } = setUp()
    const calls: string[] = []
    mount(
      controller('vcap')
        .for(ConfigMap)
        .watches(Secret, forObject())
        .watches(Namespace, (namespace) => ({ namespace: namespace.metadata.name, name: 'settings' }))
        .reconcile(({ namespace, name }) => void calls.push(`${namespace}/${name}`)),
    )
    cache.put(Secret, { metadata: { namespace: 'default', name: 'same-name' } })
    cache.put(Namespace, { metadata: { name: 'team' } })
    await clock.settle()
    expect(calls).toEqual(['default/same-name', 'team/settings'])
  })

  test('through a mapping that reads which objects refer to this one, with retries', async () => {
    const { clock, cache, mount, put, lines } = setUp()
    put('names-it', { annotations: { secret: 'db' } })
    put('other')
    let failures = 2
    const calls: string[] = []
    mount(
      controller('vcap')
        .for(ConfigMap, { predicate: () => false })
        .watches(Secret, async (secret, { client }) => {
          if (failures-- > 0) throw new Error('no answer')
          const maps = await client.list(ConfigMap)
          return maps
            .filter((map) => map.metadata.annotations?.['secret'] === secret.metadata.name)
            .map(({ metadata: { namespace, name } }) => ({ namespace, name }))
        })
        .reconcile(({ namespace, name }) => void calls.push(`${clock.monotonic()} ${namespace}/${name}`)),
    )
    await clock.settle()
    cache.put(Secret, { metadata: { namespace: 'default', name: 'db' } })
    await clock.advance('1m')
    expect(calls).toEqual(['3000 default/names-it'])
    expect(lines.filter((line) => line['level'] === 'error')).toHaveLength(2)
  })

  test('with the further fields of a request, each combination as a separate request', async () => {
    const { clock, mount, lines, reports } = setUp()
    const pushes = new Channel<string>('pushes')
    for (const cluster of ['edge', 'home', 'edge']) pushes.send(cluster)
    const calls: string[] = []
    mount(
      controller('fleet')
        .requests<{ cluster: string; namespace: string; name: string }>()
        .watches(pushes, (cluster) => ({ cluster, namespace: 'default', name: 'a' }))
        .reconcile(({ cluster, namespace, name }) => void calls.push(`${cluster}: ${namespace}/${name}`)),
    )
    await clock.settle()
    expect(calls).toEqual(['edge: default/a', 'home: default/a'])
    expect(reports.map(({ request }) => request)).toContainEqual({
      cluster: 'home',
      namespace: 'default',
      name: 'a',
    })
    expect(lines).toContainEqual(expect.objectContaining({ cluster: 'home', name: 'a' }))
  })

  test('when an external event arrives on a channel, also one that was sent before the start', async () => {
    const { clock, mount } = setUp()
    const pushes = new Channel<string>('pushes')
    pushes.send('early')
    const calls: string[] = []
    mount(
      controller('channel')
        .for(ConfigMap)
        .watches(pushes, (name) => ({ namespace: 'default', name }))
        .reconcile((request, { causes }) => void calls.push(`${request.name}: ${describeCauses(causes)}`)),
    )
    await clock.settle()
    pushes.send('late', { note: 'push to main' })
    await clock.settle()
    expect(calls).toEqual(['early: channel pushes sent an event', 'late: channel pushes: push to main'])
  })

  test('when a timer says so', async () => {
    const { clock, mount } = setUp()
    const calls: number[] = []
    mount(
      controller('timer')
        .watches(every('1h'), () => ({ name: 'everything' }))
        .reconcile(() => void calls.push(clock.monotonic())),
    )
    await clock.advance('2.5h')
    expect(calls).toEqual([3_600_000, 7_200_000])
  })

  test('when the controller starts: once for every existing object, after all of them were listed', async () => {
    const { clock, cache, loop, put } = setUp()
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u', controller: true }
    cache.put(Deployment, { metadata: { namespace: 'default', name: 'child', ownerReferences: [owner] } })
    cache.holdList(ConfigMap)
    const { calls } = loop(() => {})
    put('a')
    put('b')
    await clock.settle()
    expect(calls).toEqual([])
    cache.finishList(ConfigMap)
    await clock.settle()
    expect(calls).toEqual([
      {
        at: 0,
        name: 'default/a',
        why: 'Deployment default/child was there at the start; ConfigMap default/a was there at the start',
      },
      { at: 0, name: 'default/b', why: 'ConfigMap default/b was there at the start' },
    ])
  })

  test('when the cache resyncs', async () => {
    const { clock, cache, loop, put } = setUp()
    put('a')
    const { calls } = loop(() => {})
    await clock.settle()
    cache.resync(ConfigMap)
    await clock.settle()
    expect(calls.at(-1)?.why).toBe('ConfigMap default/a came up in the regular resync')
  })

  test('for objects that have just changed before those that existed at the start', async () => {
    const { clock, cache, loop, put } = setUp()
    cache.holdList(Deployment)
    cache.holdList(ConfigMap)
    const { calls } = loop(() => {})
    put('old-1')
    put('old-2')
    cache.finishList(ConfigMap)
    put('new')
    cache.finishList(Deployment)
    await clock.settle()
    expect(calls.map((call) => call.name)).toEqual(['default/new', 'default/old-1', 'default/old-2'])
  })

  test('again with the priority that it had: retries of objects that existed at the start come after others', async () => {
    const { clock, loop, put } = setUp()
    put('old')
    const { calls } = loop(({ name }, { clock }) => {
      if (name === 'old' && calls.length === 1) throw new Error('broken')
      return name === 'slow' ? clock.sleep(20) : undefined
    })
    await clock.advance(990)
    put('slow')
    await clock.advance(15)
    put('new')
    await clock.advance(5)
    expect(calls.map(({ at, name }) => `${at} ${name}`)).toEqual([
      '0 default/old',
      '990 default/slow',
      '1010 default/new',
      '1010 default/old',
    ])
  })

  test('without a namespace for an object of a cluster-scoped kind', async () => {
    const { clock, cache, mount } = setUp()
    const requests: ObjectKey[] = []
    mount(
      controller('tenant')
        .for(Namespace)
        .reconcile((request) => void requests.push(request)),
    )
    cache.put(Namespace, { metadata: { name: 'team' } })
    await clock.settle()
    expect(requests).toEqual([{ name: 'team' }])
  })

  test('not for events that a predicate rules out', async () => {
    const { clock, cache, mount } = setUp()
    const calls: string[] = []
    mount(
      controller('filtered')
        .for(Deployment, { predicate: generationChanged })
        .options({ predicate: (event) => event.object.metadata.namespace !== 'kube-system' })
        .reconcile((request, { causes }) => void calls.push(describeCauses(causes))),
    )
    const deployment = { namespace: 'default', name: 'web', generation: 1 }
    cache.put(Deployment, { metadata: { ...deployment, namespace: 'kube-system' } })
    cache.put(Deployment, { metadata: deployment })
    await clock.settle()
    cache.put(Deployment, { metadata: deployment, status: { replicas: 1 } })
    await clock.settle()
    cache.put(Deployment, { metadata: { ...deployment, generation: 2 } })
    await clock.settle()
    expect(calls).toEqual(['Deployment default/web was created', 'Deployment default/web was updated (spec)'])
  })
})

test('a kind that cannot be listed is reported after two minutes, and waited for', async () => {
  const { cache, clock, lines, loop, put } = setUp()
  cache.holdList(Deployment)
  const { calls } = loop(() => {})
  put('a')
  await clock.advance('2m')
  expect(lines).toMatchObject([{ level: 'warn', waitingFor: 'Deployment' }])
  cache.finishList(Deployment)
  await clock.settle()
  expect(calls).toHaveLength(1)
})
