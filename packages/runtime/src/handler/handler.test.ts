import { ConfigMap, Namespace } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import type { ObjectEvent } from '../cache/informer.ts'
import { forObject } from './for-object.ts'
import { forOwner } from './for-owner.ts'
import { fromMap, fromValue } from './from-map.ts'
import { requestList, type HandlerContext } from './handler.ts'

const context = {} as HandlerContext
const owner = (name: string, extra: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: name,
  ...extra,
})

function added(metadata: object): ObjectEvent {
  return { type: 'added', initial: false, object: { metadata } }
}

test('forObject gives the namespace and the name of the object', () => {
  expect(forObject().requests(added({ namespace: 'a', name: 'b', uid: 'u' }), context)).toEqual({
    namespace: 'a',
    name: 'b',
  })
  expect(forObject().requests(added({ name: 'b' }), context)).toEqual({ name: 'b' })
})

describe('forOwner', () => {
  test('gives the controlling owner of the kind, whatever version the reference names', () => {
    const object = {
      namespace: 'a',
      name: 'child',
      ownerReferences: [owner('mere'), owner('boss', { controller: true }), owner('x', { kind: 'Secret' })],
    }
    expect(forOwner(ConfigMap).requests(added(object), context)).toEqual([{ namespace: 'a', name: 'boss' }])
    expect(forOwner(ConfigMap, { everyOwner: true }).requests(added(object), context)).toEqual([
      { namespace: 'a', name: 'mere' },
      { namespace: 'a', name: 'boss' },
    ])
  })

  test('gives a cluster-scoped owner without a namespace', () => {
    const reference = { apiVersion: 'v1', kind: 'Namespace', name: 'team', uid: 'u', controller: true }
    const event = added({ namespace: 'a', name: 'child', ownerReferences: [reference] })
    expect(forOwner(Namespace).requests(event, context)).toEqual([{ name: 'team' }])
  })

  test('gives nothing for an object without owners', () => {
    expect(forOwner(ConfigMap).requests(added({ namespace: 'a', name: 'child' }), context)).toEqual([])
  })
})

describe('a mapping', () => {
  const update: ObjectEvent = {
    type: 'updated',
    before: { metadata: { name: 'old' } },
    object: { metadata: { name: 'new' } },
  }

  test('is asked for the object before and after an update', async () => {
    const map = (object: any) => ({ name: object.metadata.name })
    expect(fromMap(map).requests(update, context)).toEqual([{ name: 'old' }, { name: 'new' }])
    const later = fromMap((object: any) => Promise.resolve(map(object)))
    await expect(later.requests(update, context)).resolves.toEqual([{ name: 'old' }, { name: 'new' }])
  })

  test('may return one, several or none', () => {
    expect(
      requestList(fromMap(() => undefined).requests(added({ name: 'x' }), context) as undefined),
    ).toEqual([])
    expect(requestList({ name: 'x' })).toEqual([{ name: 'x' }])
    expect(requestList(new Set([{ name: 'x' }, { name: 'y' }]))).toEqual([{ name: 'x' }, { name: 'y' }])
  })

  test('of a channel gets the value', () => {
    const handler = fromValue((name: string) => ({ name }))
    expect(handler.requests({ value: 'x' }, context)).toEqual({ name: 'x' })
  })
})
