import type { Deployment, ReplicaSet } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { currentAnnotations, findCurrent, newReplicaSet, nextRevision } from './revisions.ts'
import { templateHash } from './template-hash.ts'

function deployment(image: string, annotations?: Record<string, string>): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', uid: 'd', annotations },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'a', image }] } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    },
    status: {},
  } as unknown as Deployment
}

function stored(from: Deployment, old: readonly ReplicaSet[], time: string): ReplicaSet {
  const created = newReplicaSet(from, old, 2)
  return {
    ...created,
    metadata: { ...created.metadata, uid: created.metadata.name, creationTimestamp: time },
    status: {},
  } as unknown as ReplicaSet
}

describe('the ReplicaSet of a template', () => {
  it('is named and labelled by the hash of the template', () => {
    const set = newReplicaSet(deployment('x:1'), [], 2)
    const hash = templateHash(deployment('x:1').spec.template, undefined)
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{4,10}$/)
    expect(set).toMatchObject({
      metadata: {
        name: `web-${hash}`,
        namespace: 'default',
        labels: { app: 'web', 'pod-template-hash': hash },
        annotations: {
          'deployment.kubernetes.io/revision': '1',
          'deployment.kubernetes.io/desired-replicas': '2',
          'deployment.kubernetes.io/max-replicas': '3',
        },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: 'web',
            uid: 'd',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } },
        template: { metadata: { labels: { app: 'web', 'pod-template-hash': hash } } },
      },
    })
  })

  it('has the same hash whatever the order of keys, and another for another template or after a collision', () => {
    const a = { metadata: { labels: { a: '1', b: '2' } }, spec: { containers: [] } }
    const b = { spec: { containers: [] }, metadata: { labels: { b: '2', a: '1' }, annotations: undefined } }
    expect(templateHash(a, undefined)).toBe(templateHash(b, undefined))
    expect(templateHash(a, undefined)).not.toBe(templateHash(a, 1))
    expect(templateHash({ ...a, spec: { containers: [{ name: 'x' }] } }, undefined)).not.toBe(
      templateHash(a, undefined),
    )
  })

  it('is found by the template, without the label of its hash', () => {
    const [one, two] = [deployment('x:1'), deployment('x:2')]
    const first = stored(one, [], '2026-01-01T12:00:00Z')
    const second = stored(two, [first], '2026-01-01T12:01:00Z')
    expect(findCurrent(one, [second, first])).toBe(first)
    expect(findCurrent(two, [second, first])).toBe(second)
    expect(findCurrent(deployment('x:3'), [second, first])).toBeUndefined()
  })

  it('gets the next revision, and its old one as history when it is current again', () => {
    const first = stored(deployment('x:1'), [], '2026-01-01T12:00:00Z')
    const second = stored(deployment('x:2'), [first], '2026-01-01T12:01:00Z')
    expect(second.metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('2')
    expect(nextRevision([first, second])).toBe(3)
    const again = currentAnnotations(deployment('x:1'), first, [second])
    expect(again).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    })
    expect(currentAnnotations(deployment('x:2'), second, [first])).toEqual(second.metadata.annotations)
  })

  it('has the annotations of the Deployment, without those that are about it alone', () => {
    const annotations = {
      'kubernetes.io/change-cause': 'because',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'deployment.kubernetes.io/revision': '7',
    }
    const set = newReplicaSet(deployment('x', annotations), [], 2)
    expect(set.metadata.annotations).toMatchObject({
      'kubernetes.io/change-cause': 'because',
      'deployment.kubernetes.io/revision': '1',
    })
    expect(set.metadata.annotations).not.toHaveProperty('kubectl.kubernetes.io/last-applied-configuration')
  })
})
