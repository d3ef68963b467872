import type { AnyKind, ObjectMeta } from '@homeostat/api'
import { beforeEach, describe, expect, it } from 'vitest'
import { OwnershipGraph } from './ownership-graph.ts'

const kind = { kind: 'Thing' } as AnyKind
let graph: OwnershipGraph

beforeEach(() => {
  graph = new OwnershipGraph()
})

function meta(uid: string, owners: string[] = [], rest: Partial<ObjectMeta> = {}): ObjectMeta {
  return {
    uid,
    name: uid,
    namespace: 'default',
    resourceVersion: '1',
    creationTimestamp: '',
    ownerReferences: owners.map((owner) => ({
      apiVersion: 'v1',
      kind: 'Thing',
      name: owner,
      uid: owner,
      blockOwnerDeletion: true,
    })),
    ...rest,
  }
}
const deleting = (finalizer: string): Partial<ObjectMeta> => ({
  deletionTimestamp: 'now',
  finalizers: [finalizer],
})

describe('the graph of owners', () => {
  it('checks an object whose owner it has not seen', () => {
    expect(graph.set(kind, meta('child', ['parent']))).toEqual(['child'])
    expect(graph.set(kind, meta('parent'))).toEqual([])
    expect(graph.dependentsOf('parent').map(({ uid }) => uid)).toEqual(['child'])
  })

  it('does not check an object that changes while its owners stay', () => {
    graph.set(kind, meta('parent'))
    graph.set(kind, meta('child', ['parent']))
    expect(graph.set(kind, meta('child', ['parent'], { labels: { a: 'b' } }))).toEqual([])
  })

  it('checks the dependents of a deleted object', () => {
    graph.set(kind, meta('parent'))
    graph.set(kind, meta('a', ['parent']))
    graph.set(kind, meta('b', ['parent', 'other']))
    expect(graph.delete('parent')).toEqual(['a', 'b'])
  })

  it('checks dependents when their owner is deleted in the foreground', () => {
    graph.set(kind, meta('parent'))
    graph.set(kind, meta('child', ['parent']))
    expect(graph.set(kind, meta('parent', [], deleting('foregroundDeletion')))).toEqual(['parent', 'child'])
    expect(graph.get('parent')?.foreground).toBe(true)
    expect(graph.hasBlockingDependent('parent')).toBe(true)
  })

  it('checks a waiting owner when a dependent is deleted, or no longer names it', () => {
    graph.set(kind, meta('parent', [], deleting('foregroundDeletion')))
    graph.set(kind, meta('a', ['parent']))
    graph.set(kind, meta('b', ['parent']))
    expect(graph.delete('a')).toEqual(['parent'])
    expect(graph.set(kind, meta('b'))).toEqual(['parent'])
    expect(graph.hasBlockingDependent('parent')).toBe(false)
  })

  it('checks an object whose dependents are orphaned', () => {
    graph.set(kind, meta('parent'))
    expect(graph.set(kind, meta('parent', [], deleting('orphan')))).toEqual(['parent'])
  })

  it('forgets links of objects that are gone', () => {
    graph.set(kind, meta('parent'))
    graph.set(kind, meta('child', ['parent']))
    graph.delete('child')
    expect(graph.dependentsOf('parent')).toEqual([])
    expect(graph.delete('parent')).toEqual([])
  })
})
