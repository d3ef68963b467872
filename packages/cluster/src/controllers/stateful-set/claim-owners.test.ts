import type { OwnerReference } from '@homeostat/api'
import type { PersistentVolumeClaim, StatefulSet } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { hasOtherController, isLeftover, planClaimOwners } from './claim-owners.ts'

const pod = { metadata: { name: 'web-0', uid: 'pod' } }
const bySet: OwnerReference = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  name: 'web',
  uid: 'set',
  controller: true,
  blockOwnerDeletion: true,
}
const byPod: OwnerReference = { ...bySet, apiVersion: 'v1', kind: 'Pod', name: 'web-0', uid: 'pod' }
const other: OwnerReference = { ...bySet, kind: 'Else', name: 'else', uid: 'else' }

function set(whenDeleted: string, whenScaled: string, replicas: number): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', uid: 'set' },
    spec: { replicas, persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } },
  } as unknown as StatefulSet
}
function owners(of: StatefulSet, ...ownerReferences: OwnerReference[]): readonly string[] | undefined {
  const claim = { metadata: { name: 'data-web-0', ownerReferences } } as unknown as PersistentVolumeClaim
  return planClaimOwners(claim, { set: of, pod, ordinal: 0 })?.map(({ kind }) => kind)
}

describe('the owners of a claim', () => {
  it.each([
    ['Retain', 'Retain', 1, []],
    ['Retain', 'Retain', 0, []],
    ['Delete', 'Retain', 1, ['StatefulSet']],
    ['Delete', 'Retain', 0, ['StatefulSet']],
    ['Retain', 'Delete', 1, []],
    ['Retain', 'Delete', 0, ['Pod']],
    ['Delete', 'Delete', 1, ['StatefulSet']],
    ['Delete', 'Delete', 0, ['Pod']],
  ])('with %s on deletion and %s on scaling, of %i Pods, are %s', (deleted, scaled, replicas, wanted) => {
    const of = set(deleted, scaled, replicas)
    const wrong = wanted[0] === 'Pod' ? bySet : byPod
    expect(owners(of, wrong)).toEqual(wanted)
    const right = wanted.map((kind) => (kind === 'Pod' ? byPod : bySet))
    expect(owners(of, ...right)).toBeUndefined()
  })

  it('become controllers where they are only owners', () => {
    expect(owners(set('Delete', 'Retain', 1), { ...bySet, controller: false })).toEqual(['StatefulSet'])
  })

  it('are left alone where they name a former set or Pod of the same name', () => {
    expect(owners(set('Delete', 'Delete', 1), { ...bySet, uid: 'former' })).toBeUndefined()
    expect(owners(set('Delete', 'Delete', 0), { ...byPod, uid: 'former' })).toBeUndefined()
  })

  it('are removed where another object controls the claim', () => {
    const of = set('Delete', 'Retain', 1)
    expect(owners(of, other)).toBeUndefined()
    expect(owners(of, other, bySet)).toEqual(['Else'])
    const claim = { metadata: { ownerReferences: [other] } } as unknown as PersistentVolumeClaim
    expect(hasOtherController(claim, { set: of, pod, ordinal: 0 })).toBe(true)
    expect(hasOtherController(claim, { set: set('Retain', 'Retain', 1), pod, ordinal: 0 })).toBe(false)
  })

  it('recognize a claim that a former Pod left behind', () => {
    const claim = {
      metadata: { ownerReferences: [{ ...byPod, uid: 'former' }] },
    } as unknown as PersistentVolumeClaim
    const at = (of: StatefulSet): boolean =>
      isLeftover(claim, { set: of, pod: { metadata: { name: 'web-0' } }, ordinal: 0 })
    expect(at(set('Retain', 'Delete', 1))).toBe(true)
    expect(at(set('Retain', 'Retain', 1))).toBe(false)
  })
})
