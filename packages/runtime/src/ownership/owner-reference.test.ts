import { Deployment, Namespace } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import {
  controllerOf,
  controllerReference,
  hasOwner,
  removeOwner,
  setControllerReference,
  setOwnerReference,
  type Owned,
} from './owner-reference.ts'

const owner = { metadata: { namespace: 'default', name: 'web', uid: 'uid-of-web' } }
const reference = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name: 'web',
  uid: 'uid-of-web',
  controller: true,
  blockOwnerDeletion: true,
}

function draft(metadata: Partial<Owned['metadata']> = {}): Owned {
  return { metadata: { namespace: 'default', name: 'settings', ...metadata } }
}

describe('a controller reference', () => {
  test('is a value to put into an object', () => {
    expect(controllerReference(owner, Deployment)).toEqual(reference)
  })

  test('cannot be made of an owner that no server has stored', () => {
    const fresh = { metadata: { namespace: 'default', name: 'web', uid: '' } }
    expect(() => controllerReference(fresh, Deployment)).toThrow(/Deployment default\/web has no uid/)
  })

  test('is set in place, once', () => {
    const object = draft()
    setControllerReference(owner, Deployment, object)
    setControllerReference(owner, Deployment, object)
    expect(object.metadata.ownerReferences).toEqual([reference])
  })

  test('stands beside other owners', () => {
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u' }
    const object = draft({ ownerReferences: [other] })
    setControllerReference(owner, Deployment, object)
    expect(object.metadata.ownerReferences).toEqual([other, reference])
  })

  test('makes a mere owner the controller', () => {
    const object = draft()
    setOwnerReference(owner, Deployment, object)
    expect(controllerOf(object)).toBeUndefined()
    setControllerReference(owner, Deployment, object)
    expect(object.metadata.ownerReferences).toEqual([reference])
  })

  test('is refused where another owner controls the object already, which is named', () => {
    const object = draft({ ownerReferences: [{ ...reference, name: 'api', uid: 'other' }] })
    expect(() => setControllerReference(owner, Deployment, object)).toThrow(
      /default\/settings is controlled by Deployment api already/,
    )
  })

  test('is refused across namespaces, and for what is in no namespace', () => {
    expect(() => setControllerReference(owner, Deployment, draft({ namespace: 'other' }))).toThrow(
      /Deployment default\/web cannot own other\/settings, which is in the namespace other/,
    )
    expect(() => setControllerReference(owner, Deployment, draft({ namespace: undefined }))).toThrow(
      /cannot own settings, which is in no namespace/,
    )
  })

  test('to a cluster-scoped owner can stand anywhere', () => {
    const team = { metadata: { name: 'team', uid: 'uid-of-team' } }
    for (const namespace of ['a', 'b', undefined]) {
      const object = draft({ namespace })
      setControllerReference(team, Namespace, object)
      expect(object.metadata.ownerReferences).toHaveLength(1)
    }
  })

  test('to an owner that was deleted and made again replaces the old one', () => {
    const object = draft({ ownerReferences: [{ ...reference, controller: undefined, uid: 'of-the-first' }] })
    setControllerReference(owner, Deployment, object)
    expect(object.metadata.ownerReferences).toEqual([reference])
  })
})

test('hasOwner, controllerOf and removeOwner go by the uid', () => {
  const object = draft()
  setOwnerReference(owner, Deployment, object)
  expect(hasOwner(object, owner)).toBe(true)
  expect(hasOwner(object, owner, { controller: true })).toBe(false)
  expect(hasOwner(object, { metadata: { ...owner.metadata, uid: 'other' } })).toBe(false)
  expect(removeOwner(object, owner)).toBe(true)
  expect(removeOwner(object, owner)).toBe(false)
  expect(object.metadata.ownerReferences).toEqual([])
  setControllerReference(owner, Deployment, object)
  expect(controllerOf(object)).toEqual(reference)
})
