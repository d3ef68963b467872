import type { AppsV1, Deployment, ReplicaSet } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { deadlineIn, deploymentStatus, isComplete } from './deployment-status.ts'
import { pauseMilestone, withMilestone } from './milestones.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')

function deployment(
  status: AppsV1.DeploymentStatus = {},
  spec: Partial<AppsV1.DeploymentSpec> = {},
): Deployment {
  return {
    metadata: { name: 'web', generation: 2 },
    spec: {
      replicas: 2,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      ...spec,
    },
    status,
  } as unknown as Deployment
}
function replicaSet(name: string, replicas: number, available: number): ReplicaSet {
  return {
    metadata: { name },
    spec: { replicas },
    status: { replicas, readyReplicas: available, availableReplicas: available },
  } as unknown as ReplicaSet
}
function status(
  from: Deployment,
  current: ReplicaSet | undefined,
  old: ReplicaSet[] = [],
  options: { now?: number; checkProgress?: boolean } = {},
): AppsV1.DeploymentStatus {
  return deploymentStatus({
    deployment: from,
    current,
    old,
    checkProgress: options.checkProgress ?? true,
    now: options.now ?? NOW,
  })
}
function reasons({ conditions }: AppsV1.DeploymentStatus): Record<string, string> {
  return Object.fromEntries(
    (conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]),
  )
}

describe('the status of a Deployment', () => {
  it('counts over all ReplicaSets, and leaves zeros out', () => {
    expect(status(deployment(), replicaSet('new', 1, 0), [replicaSet('old', 2, 2)])).toMatchObject({
      observedGeneration: 2,
      replicas: 3,
      updatedReplicas: 1,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 1,
    })
    expect(Object.keys(status(deployment(), replicaSet('new', 0, 0)))).toEqual([
      'observedGeneration',
      'terminatingReplicas',
      'conditions',
    ])
  })

  it('counts terminating Pods only if every ReplicaSet has their number', () => {
    const told = (name: string, terminatingReplicas?: number): ReplicaSet =>
      ({
        ...replicaSet(name, 1, 1),
        status: { observedGeneration: 1, terminatingReplicas },
      }) as unknown as ReplicaSet
    expect(status(deployment(), told('new', 1), [told('old', 2)]).terminatingReplicas).toBe(3)
    expect(status(deployment(), told('new', 1), [replicaSet('unseen', 1, 0)]).terminatingReplicas).toBe(1)
    expect(status(deployment(), told('new', 1), [told('old')])).not.toHaveProperty('terminatingReplicas')
  })

  it('is available when enough Pods are', () => {
    expect(reasons(status(deployment(), replicaSet('new', 2, 1)))['Available']).toBe(
      'False MinimumReplicasUnavailable',
    )
    expect(reasons(status(deployment(), replicaSet('new', 2, 2)))['Available']).toBe(
      'True MinimumReplicasAvailable',
    )
  })

  it('reports the progress of a rollout: created, progressing, done', () => {
    const created = withMilestone(deployment(), { type: 'created', replicaSet: 'new' }, NOW)
    expect(reasons(created)['Progressing']).toBe('True NewReplicaSetCreated')
    const moving = status(deployment(created), replicaSet('new', 2, 0), [], { now: NOW + 5_000 })
    expect(moving.conditions?.find(({ type }) => type === 'Progressing')).toMatchObject({
      status: 'True',
      reason: 'ReplicaSetUpdated',
      message: 'ReplicaSet "new" is progressing.',
      lastUpdateTime: '2026-01-01T12:00:05Z',
      lastTransitionTime: '2026-01-01T12:00:00Z',
    })
    const done = status(deployment(moving), replicaSet('new', 2, 2))
    expect(done.conditions?.find(({ type }) => type === 'Progressing')).toMatchObject({
      reason: 'NewReplicaSetAvailable',
      message: 'ReplicaSet "new" has successfully progressed.',
    })
    expect(isComplete(deployment(), done)).toBe(true)
    expect(status(deployment(done), replicaSet('new', 2, 2), [], { now: NOW + 60_000 })).toEqual(done)
  })

  it('is past its deadline when nothing moves for long enough', () => {
    const found = withMilestone(deployment(), { type: 'found', replicaSet: 'new' }, NOW)
    expect(reasons(found)).toEqual({ Progressing: 'True FoundNewReplicaSet' })
    const stuck = status(deployment(found), replicaSet('new', 2, 0))
    expect(deadlineIn(deployment(stuck), stuck, NOW)).toBe(601_000)
    const now = NOW + 601_000
    const late = status(deployment(stuck), replicaSet('new', 2, 0), [], { now })
    expect(late.conditions?.find(({ type }) => type === 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: 'ReplicaSet "new" has timed out progressing.',
    })
    expect(deadlineIn(deployment(late), late, now)).toBeUndefined()
  })

  it('says that it is paused, and resumed', () => {
    const before = deployment(status(deployment(), replicaSet('new', 2, 2)))
    expect(pauseMilestone(before)).toBeUndefined()
    const pausing = deployment(before.status as AppsV1.DeploymentStatus, { paused: true })
    expect(pauseMilestone(pausing)).toEqual({ type: 'paused' })
    const paused = withMilestone(pausing, { type: 'paused' }, NOW)
    expect(reasons(paused)['Progressing']).toBe('Unknown DeploymentPaused')
    expect(pauseMilestone(deployment(paused, { paused: true }))).toBeUndefined()
    expect(pauseMilestone(deployment(paused))).toEqual({ type: 'resumed' })
    const resumed = withMilestone(deployment(paused), { type: 'resumed' }, NOW)
    expect(reasons(resumed)['Progressing']).toBe('Unknown DeploymentResumed')
  })

  it('has no condition Progressing without a deadline', () => {
    const free = deployment({}, { progressDeadlineSeconds: 2_147_483_647 })
    expect(withMilestone(free, { type: 'created', replicaSet: 'new' }, NOW)).toEqual({})
    expect(pauseMilestone(free)).toBeUndefined()
    const before = withMilestone(deployment(), { type: 'created', replicaSet: 'new' }, NOW)
    const now = deployment(before, { progressDeadlineSeconds: 2_147_483_647 })
    expect(reasons(status(now, replicaSet('new', 2, 2)))).not.toHaveProperty('Progressing')
  })

  it('says why a ReplicaSet could not be made', () => {
    const failed = withMilestone(deployment(), { type: 'failed', replicaSet: 'new', why: 'no room' }, NOW)
    expect(failed.conditions).toMatchObject([
      {
        type: 'Progressing',
        status: 'False',
        reason: 'ReplicaSetCreateError',
        message: 'Failed to create new replica set "new": no room',
      },
    ])
  })

  it('passes on that Pods cannot be made', () => {
    const failing = replicaSet('new', 0, 0)
    const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'no' }]
    const set = { ...failing, status: { ...failing.status, conditions } } as ReplicaSet
    expect(reasons(status(deployment(), set))['ReplicaFailure']).toBe('True FailedCreate')
    const again = status(deployment(status(deployment(), set)), failing)
    expect(reasons(again)).not.toHaveProperty('ReplicaFailure')
  })
})
