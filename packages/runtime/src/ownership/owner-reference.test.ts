import type { OwnerReference } from '@homeostat/api'
import { Deployment, Namespace, Service } from '@homeostat/api/kinds'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  controllerOf,
  controllerReference,
  hasOwnerReference,
  ownerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
  type Owned,
} from './owner-reference.ts'

const metadata = { namespace: 'default', name: 'web', uid: 'uid-of-web' }
const owner = { apiVersion: 'apps/v1', kind: 'Deployment', metadata }
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
    expect(controllerReference(owner)).toEqual(reference)
  })

  test('cannot be made of an owner that no server has stored', () => {
    const fresh = { ...owner, metadata: { ...metadata, uid: '' } }
    expect(() => controllerReference(fresh)).toThrow(/Deployment default\/web has no uid/)
  })

  test('is set in place, once', () => {
    const object = draft()
    setControllerReference(owner, object)
    setControllerReference(owner, object)
    expect(object.metadata.ownerReferences).toEqual([reference])
  })

  test('stands beside other owners', () => {
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u' }
    const object = draft({ ownerReferences: [other] })
    setControllerReference(owner, object)
    expect(object.metadata.ownerReferences).toEqual([other, reference])
  })

  test('makes a mere owner the controller', () => {
    const object = draft()
    setOwnerReference(owner, object)
    expect(controllerOf(object)).toBeUndefined()
    setControllerReference(owner, object)
    expect(object.metadata.ownerReferences).toEqual([reference])
  })

  test('is refused where another owner controls the object already, which is named', () => {
    const object = draft({ ownerReferences: [{ ...reference, name: 'api', uid: 'other' }] })
    expect(() => setControllerReference(owner, object)).toThrow(
      /default\/settings is already controlled by Deployment api/,
    )
  })

  test('is refused across namespaces, and for a cluster-scoped object', () => {
    expect(() => setControllerReference(owner, draft({ namespace: 'other' }))).toThrow(
      /Deployment default\/web cannot own other\/settings, which is in the namespace other/,
    )
    expect(() => setControllerReference(owner, draft({ namespace: undefined }))).toThrow(
      /cannot own settings, which is in no namespace/,
    )
  })

  test('to a cluster-scoped owner can stand anywhere', () => {
    const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', uid: 'uid-of-team' } }
    for (const namespace of ['a', 'b', undefined]) {
      const object = draft({ namespace })
      setControllerReference(team, object)
      expect(object.metadata.ownerReferences).toHaveLength(1)
    }
  })

  test('to an owner that was deleted and made again replaces the old one', () => {
    for (const controller of [true, undefined]) {
      const object = draft({ ownerReferences: [{ ...reference, controller, uid: 'of-the-first' }] })
      setControllerReference(owner, object)
      expect(object.metadata.ownerReferences).toEqual([reference])
    }
  })

  test('is refused where an owner of the same name but another kind controls the object', () => {
    for (const other of [{ kind: 'StatefulSet' }, { apiVersion: 'example.com/v1' }]) {
      const object = draft({ ownerReferences: [{ ...reference, ...other, uid: 'other' }] })
      expect(() => setControllerReference(owner, object)).toThrow(
        /default\/settings is already controlled by/,
      )
    }
  })
})

describe('the kind of an owner', () => {
  const partial = { metadata }
  /** Each function that names the owner's kind in a reference, as a program without types may call it. */
  const functions: [string, (owner: never, kind?: never) => unknown][] = [
    ['controllerReference', controllerReference],
    ['ownerReference', ownerReference],
    ['setControllerReference', (owner, kind) => setControllerReference(owner, draft(), kind as never)],
    ['setOwnerReference', (owner, kind) => setOwnerReference(owner, draft(), kind as never)],
  ]

  test('is what the owner says', () => {
    const object = draft()
    setOwnerReference(owner, object)
    const { apiVersion, kind, name, uid } = reference
    expect(ownerReference(owner)).toEqual({ apiVersion, kind, name, uid })
    expect(object.metadata.ownerReferences).toEqual([ownerReference(owner)])
  })

  test('is given for an owner that does not say it', () => {
    const object = draft()
    setControllerReference(partial, object, Deployment)
    expect(object.metadata.ownerReferences).toEqual([reference])
    expect(controllerReference(partial, Deployment)).toEqual(reference)
    expect(ownerReference(partial, Namespace)).toMatchObject({ apiVersion: 'v1', kind: 'Namespace' })
  })

  test.each(functions)('is compared with the one given, in %s', (_, refer) => {
    expect(() => refer(owner as never, Service as never)).toThrow(
      expect.objectContaining({
        code: 'OWNER_KIND_MISMATCH',
        message:
          'the owner default/web is a Deployment of apps/v1 and not a Service of v1: the garbage collector would delete what it owns. Leave the kind out, since the owner has its own',
      }),
    )
    expect(() => refer(owner as never, Deployment as never)).not.toThrow()
  })

  test.each(functions)('must be known, in %s', (_, refer) => {
    expect(() => refer(partial as never)).toThrow(
      expect.objectContaining({
        code: 'OWNER_KIND_UNKNOWN',
        message: expect.stringMatching(/^the owner default\/web has no kind: use the object/),
      }),
    )
  })

  test.each(functions)('is not that of a document about the object, in %s', (_, refer) => {
    for (const [apiVersion, kind] of [
      ['autoscaling/v1', 'Scale'],
      ['meta.k8s.io/v1', 'PartialObjectMetadata'],
    ]) {
      expect(() => refer({ apiVersion, kind, metadata } as never)).toThrow(
        expect.objectContaining({ code: 'OWNER_KIND_UNKNOWN' }),
      )
    }
  })

  test('is checked by the types', () => {
    const typed = owner as unknown as Deployment
    const object = draft()
    expectTypeOf(controllerReference(typed)).toEqualTypeOf<OwnerReference>()
    // @ts-expect-error: the owner is a Deployment
    expect(() => controllerReference(typed, Service)).toThrow()
    // @ts-expect-error: the owner is a Deployment
    expect(() => ownerReference(typed, Service)).toThrow()
    // @ts-expect-error: the owner is a Deployment
    expect(() => setControllerReference(typed, object, Service)).toThrow()
    // @ts-expect-error: the owner is a Deployment
    expect(() => setOwnerReference(typed, object, Service)).toThrow()
    // @ts-expect-error: metadata alone does not say the kind
    expect(() => controllerReference(partial)).toThrow()
    // @ts-expect-error: metadata alone does not say the kind
    expect(() => setControllerReference(partial, object)).toThrow()
  })
})

test('hasOwnerReference, controllerOf and removeOwnerReference compare the uid', () => {
  const object = draft()
  setOwnerReference(owner, object)
  expect(hasOwnerReference(owner, object)).toBe(true)
  expect(hasOwnerReference({ metadata }, object)).toBe(true)
  expect(hasOwnerReference(owner, object, { controller: true })).toBe(false)
  expect(hasOwnerReference({ metadata: { ...metadata, uid: 'other' } }, object)).toBe(false)
  expect(removeOwnerReference(owner, object)).toBe(true)
  expect(removeOwnerReference(owner, object)).toBe(false)
  expect(object.metadata.ownerReferences).toEqual([])
  setControllerReference(owner, object)
  expect(controllerOf(object)).toEqual(reference)
})
