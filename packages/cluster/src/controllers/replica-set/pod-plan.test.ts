import type { Pod, ReplicaSet } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { nextAvailable } from '../pods/pod-facts.ts'
import { planPods } from './pod-plan.ts'
import { replicaSetStatus } from './replica-set-status.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')

function replicaSet(replicas: number, minReadySeconds = 0): ReplicaSet {
  return {
    metadata: { name: 'web', generation: 3 },
    spec: { replicas, minReadySeconds, template: { metadata: { labels: { app: 'web' } } } },
    status: {},
  } as unknown as ReplicaSet
}

interface Shape {
  node?: string
  phase?: string
  readyFor?: number
  cost?: number
  restarts?: number
  age?: number
}
function pod(name: string, shape: Shape = {}): Pod {
  const { node = 'n', phase = 'Running', readyFor, cost, restarts = 0, age = 100 } = shape
  return {
    metadata: {
      name,
      uid: name,
      labels: { app: 'web' },
      creationTimestamp: new Date(NOW - age * 1_000).toISOString(),
      annotations: cost === undefined ? {} : { 'controller.kubernetes.io/pod-deletion-cost': String(cost) },
    },
    spec: { nodeName: node },
    status: {
      phase,
      conditions:
        readyFor === undefined
          ? []
          : [
              {
                type: 'Ready',
                status: 'True',
                lastTransitionTime: new Date(NOW - readyFor * 1_000).toISOString(),
              },
            ],
      containerStatuses: [{ restartCount: restarts }],
    },
  } as unknown as Pod
}

describe('the number of Pods', () => {
  it('is raised by at most five hundred at a time', () => {
    expect(planPods(replicaSet(3), [pod('a')], [], NOW)).toEqual({ create: 2, remove: [] })
    expect(planPods(replicaSet(2_000), [], [], NOW).create).toBe(500)
    expect(planPods(replicaSet(1), [pod('a')], [], NOW)).toEqual({ create: 0, remove: [] })
  })

  it.each([
    ['one that is not bound', pod('z', { node: '', phase: 'Pending' }), pod('a', { phase: 'Pending' })],
    ['one that does not run', pod('z', { phase: 'Pending' }), pod('a')],
    ['one that is not ready', pod('z'), pod('a', { readyFor: 50 })],
    ['one of lower cost', pod('z', { readyFor: 50, cost: -1 }), pod('a', { readyFor: 50 })],
    ['one that is ready for a shorter time', pod('z', { readyFor: 1 }), pod('a', { readyFor: 50 })],
    ['one that restarts more', pod('z', { readyFor: 50, restarts: 2 }), pod('a', { readyFor: 50 })],
    ['the younger one', pod('z', { age: 1 }), pod('a', { age: 100 })],
  ])('is lowered by %s first', (_, first, second) => {
    expect(planPods(replicaSet(1), [second, first], [first, second], NOW).remove).toEqual([first])
    expect(planPods(replicaSet(1), [first, second], [first, second], NOW).remove).toEqual([first])
  })

  it('is lowered first on nodes where another ReplicaSet of the same owner has Pods', () => {
    const [a, b] = [pod('a', { node: 'n', readyFor: 50 }), pod('b', { node: 'm', readyFor: 50 })]
    const other = pod('c', { node: 'm' })
    expect(planPods(replicaSet(1), [a, b], [a, b, other], NOW).remove).toEqual([b])
    const gone = pod('d', { node: 'n', phase: 'Failed' })
    expect(planPods(replicaSet(1), [a, b], [a, b, other, gone], NOW).remove).toEqual([b])
  })
})

describe('the status of a ReplicaSet', () => {
  it('counts Pods that are ready, and available after long enough', () => {
    const active = [pod('a', { readyFor: 30 }), pod('b', { readyFor: 5 }), pod('c')]
    const pods = { active, terminating: [pod('d')] }
    expect(replicaSetStatus(replicaSet(3, 10), pods, undefined, NOW)).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
      terminatingReplicas: 1,
      observedGeneration: 3,
    })
    expect(nextAvailable(active, 10, NOW)).toBe(5_000)
    expect(nextAvailable(active, 0, NOW)).toBeUndefined()
  })

  it('reports why Pods could not be created, until they can', () => {
    const failure = { reason: 'FailedCreate' as const, message: 'quota' }
    const failed = replicaSetStatus(replicaSet(1), { active: [], terminating: [] }, failure, NOW)
    expect(failed.conditions).toEqual([
      { type: 'ReplicaFailure', status: 'True', lastTransitionTime: '2026-01-01T12:00:00Z', ...failure },
    ])
    const before = { ...replicaSet(1), status: failed } as ReplicaSet
    expect(replicaSetStatus(before, { active: [], terminating: [] }, undefined, NOW)).not.toHaveProperty(
      'conditions',
    )
  })
})
