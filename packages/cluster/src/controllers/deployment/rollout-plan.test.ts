import type { AppsV1, Deployment, ReplicaSet } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import {
  currentSize,
  isScaling,
  planCleanUp,
  planRecreate,
  planRolling,
  planScale,
  type Scaling,
} from './rollout-plan.ts'

function deployment(
  replicas: number,
  strategy: AppsV1.DeploymentStrategy = {
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
  },
  rest: Partial<AppsV1.DeploymentSpec> = {},
): Deployment {
  return {
    metadata: { name: 'web', namespace: 'default', uid: 'd', generation: 1 },
    spec: { replicas, strategy, ...rest },
    status: {},
  } as unknown as Deployment
}

let age = 0
function replicaSet(
  name: string,
  replicas: number,
  available = replicas,
  annotations: Record<string, string> = {},
): ReplicaSet {
  const creationTimestamp = `2026-01-01T12:00:${String(age++ % 60).padStart(2, '0')}Z`
  return {
    metadata: { name, uid: name, annotations, creationTimestamp, generation: 1 },
    spec: { replicas },
    status: { replicas, availableReplicas: available, observedGeneration: 1 },
  } as unknown as ReplicaSet
}

function shown(plan: readonly Scaling[] | 'create'): unknown {
  return plan === 'create'
    ? plan
    : Object.fromEntries(plan.map(({ replicaSet, replicas }) => [replicaSet.metadata.name, replicas]))
}

const limits = (maxSurge: number | string, maxUnavailable: number | string): AppsV1.DeploymentStrategy => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
})

describe('a rolling update', () => {
  it('starts the first ReplicaSet with everything', () => {
    expect(currentSize(deployment(3), undefined, [])).toBe(3)
  })

  it('starts a new ReplicaSet with the surge', () => {
    expect(currentSize(deployment(10, limits(3, 2)), undefined, [replicaSet('old', 10)])).toBe(3)
    expect(currentSize(deployment(4), undefined, [replicaSet('old', 4)])).toBe(1)
    expect(currentSize(deployment(3, limits(0, 1)), undefined, [replicaSet('old', 3)])).toBe(0)
  })

  it('shrinks the old one as far as enough stay available', () => {
    const plan = planRolling(deployment(10, limits(3, 2)), replicaSet('new', 3, 0), [replicaSet('old', 10)])
    expect(shown(plan)).toEqual({ old: 8 })
  })

  it('waits while neither may move', () => {
    expect(
      planRolling(deployment(10, limits(3, 2)), replicaSet('new', 5, 0), [replicaSet('old', 8)]),
    ).toEqual([])
  })

  it('grows the new one when there is room, before it shrinks the old one', () => {
    const plan = planRolling(deployment(10, limits(3, 2)), replicaSet('new', 3, 3), [replicaSet('old', 8)])
    expect(shown(plan)).toEqual({ new: 5 })
  })

  it('removes old Pods that are not available first, and never more than is safe', () => {
    const old = [replicaSet('older', 4, 0), replicaSet('old', 6, 6)]
    const plan = planRolling(deployment(10, limits(2, 0)), replicaSet('new', 2, 0), old)
    expect(shown(plan)).toEqual({})
    const some = planRolling(deployment(10, limits(3, 2)), replicaSet('new', 3, 0), [
      replicaSet('older', 4, 0),
      replicaSet('old', 6, 6),
    ])
    expect(shown(some)).toEqual({ older: 2 })
  })

  it('waits for the status of a ReplicaSet that was made smaller', () => {
    const plan = planRolling(deployment(2, limits(2, 0)), replicaSet('new', 1, 0), [replicaSet('old', 3, 4)])
    expect(shown(plan)).toEqual({})
    const after = planRolling(deployment(2, limits(2, 0)), replicaSet('new', 1, 0), [replicaSet('old', 3, 3)])
    expect(shown(after)).toEqual({ old: 2 })
  })

  it('proceeds without a surge by removing one Pod at a time', () => {
    let current = replicaSet('new', 0)
    let old = replicaSet('old', 3)
    const sizes: string[] = []
    for (let step = 0; step < 12; step++) {
      const [next] = planRolling(deployment(3, limits(0, 1)), current, [old])
      if (!next) break
      if (next.replicaSet === current) current = replicaSet('new', next.replicas)
      else old = replicaSet('old', next.replicas)
      sizes.push(`${old.spec.replicas}+${current.spec.replicas}`)
    }
    expect(sizes).toEqual(['2+0', '2+1', '1+1', '1+2', '0+2', '0+3'])
  })

  it('lets one Pod be missing where both percentages round to zero', () => {
    const plan = planRolling(deployment(1, limits('0%', '25%')), replicaSet('new', 0), [replicaSet('old', 1)])
    expect(shown(plan)).toEqual({ old: 0 })
  })

  it('shrinks the new one to the desired number', () => {
    expect(shown(planRolling(deployment(2), replicaSet('new', 5), []))).toEqual({ new: 2 })
  })
})

describe('recreating', () => {
  const recreate: AppsV1.DeploymentStrategy = { type: 'Recreate' }

  it('first ends all old ones, then waits for their Pods, then makes the new one', () => {
    const d = deployment(3, recreate)
    expect(shown(planRecreate(d, undefined, [replicaSet('old', 3)], true))).toEqual({ old: 0 })
    expect(shown(planRecreate(d, undefined, [replicaSet('old', 0)], true))).toEqual({})
    expect(shown(planRecreate(d, undefined, [replicaSet('old', 0)], false))).toBe('create')
    expect(currentSize(d, undefined, [replicaSet('old', 0)])).toBe(3)
    expect(shown(planRecreate(d, replicaSet('new', 3), [], false))).toEqual({})
  })
})

describe('scaling', () => {
  const noted = (desired: number, max: number): Record<string, string> => ({
    'deployment.kubernetes.io/desired-replicas': String(desired),
    'deployment.kubernetes.io/max-replicas': String(max),
  })

  it('is detected by the annotations of the ReplicaSets', () => {
    expect(isScaling(deployment(5), [replicaSet('a', 3, 3, noted(3, 4))])).toBe(true)
    expect(isScaling(deployment(3), [replicaSet('a', 3, 3, noted(3, 4))])).toBe(false)
    expect(isScaling(deployment(3), [replicaSet('a', 0, 0, noted(2, 4))])).toBe(false)
  })

  it('gives one active ReplicaSet the whole number', () => {
    expect(shown(planScale(deployment(5), replicaSet('new', 3), [replicaSet('old', 0)]))).toEqual({ new: 5 })
    expect(shown(planScale(deployment(5), undefined, [replicaSet('old', 3)]))).toEqual({ old: 5 })
    expect(shown(planScale(deployment(0), replicaSet('new', 3), []))).toEqual({ new: 0 })
  })

  it('divides added replicas by size in the middle of a rollout', () => {
    const current = replicaSet('new', 5, 5, noted(10, 13))
    const old = replicaSet('old', 8, 8, noted(10, 13))
    const plan = planScale(deployment(20, limits(3, 2)), current, [old])
    expect(shown(plan)).toEqual({ new: 9, old: 14 })
  })

  it('divides removed replicas, too', () => {
    const current = replicaSet('new', 5, 5, noted(10, 13))
    const old = replicaSet('old', 8, 8, noted(10, 13))
    const plan = planScale(deployment(5, limits(3, 2)), current, [old])
    expect(shown(plan)).toEqual({ old: 5, new: 3 })
    expect(shown(planScale(deployment(0, limits(3, 2)), current, [old]))).toEqual({ old: 0, new: 0 })
  })

  it('ends old ones when the current one has everything', () => {
    const plan = planScale(deployment(3), replicaSet('new', 3, 3, noted(3, 4)), [replicaSet('old', 1)])
    expect(shown(plan)).toEqual({ old: 0 })
  })
})

describe('old ReplicaSets', () => {
  const revision = (n: number): Record<string, string> => ({ 'deployment.kubernetes.io/revision': String(n) })

  it('are removed beyond the limit, the lowest revisions first', () => {
    const old = [3, 1, 2].map((n) => replicaSet(`r${n}`, 0, 0, revision(n)))
    const names = (limit: number): string[] =>
      planCleanUp(deployment(1, undefined, { revisionHistoryLimit: limit }), old).map(
        ({ metadata }) => metadata.name,
      )
    expect(names(1)).toEqual(['r1', 'r2'])
    expect(names(10)).toEqual([])
    expect(names(0)).toEqual(['r1', 'r2', 'r3'])
  })

  it('are kept while they have Pods', () => {
    const old = [replicaSet('r1', 1, 1, revision(1))]
    expect(planCleanUp(deployment(1, undefined, { revisionHistoryLimit: 0 }), old)).toEqual([])
  })
})
