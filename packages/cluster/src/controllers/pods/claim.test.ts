import type { ObjectMeta, OwnerReference } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { adopted, planClaim, released } from './claim.ts'

type Thing = { metadata: ObjectMeta }

const reference = (uid: string, controller = true): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Owner',
  name: uid,
  uid,
  controller,
})
function thing(name: string, rest: Partial<ObjectMeta> = {}): Thing {
  return {
    metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: '', labels: { app: 'a' }, ...rest },
  }
}
const owner = thing('owner')
const matches = ({ metadata }: Thing): boolean => metadata.labels?.['app'] === 'a'

describe('claiming objects', () => {
  it('keeps its own Pods that match, adopts those without a controller, and releases those that no longer match', () => {
    const ours = thing('ours', { ownerReferences: [reference('owner')] })
    const free = thing('free')
    const owned = thing('owned by another, not controlled', { ownerReferences: [reference('other', false)] })
    const strange = thing('strange', { ownerReferences: [reference('other')] })
    const lost = thing('lost', { ownerReferences: [reference('owner')], labels: {} })
    const claim = planClaim(owner, [ours, free, owned, strange, lost, thing('no', { labels: {} })], matches)
    expect(claim).toEqual({ owned: [ours], adopt: [free, owned], release: [lost] })
  })

  it('adopts nothing while the owner or the object is being deleted', () => {
    const going = { deletionTimestamp: 'now' }
    expect(planClaim(thing('owner', going), [thing('free')], matches).adopt).toEqual([])
    expect(planClaim(owner, [thing('free', going)], matches).adopt).toEqual([])
    const lost = thing('lost', { ...going, ownerReferences: [reference('owner')], labels: {} })
    expect(planClaim(owner, [lost], matches).release).toEqual([])
  })

  it('leaves other owners of an object alone', () => {
    const other = reference('other', false)
    const taken = adopted(thing('x', { ownerReferences: [other] }), reference('owner'))
    expect(taken.metadata.ownerReferences).toEqual([other, reference('owner')])
    expect(released(taken, owner).metadata.ownerReferences).toEqual([other])
  })
})
