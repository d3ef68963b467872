import type { Job, Pod } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { viewJob } from './job-view.ts'
import { planPodChanges } from './pod-changes.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const FINALIZERS = ['batch.kubernetes.io/job-tracking']

function job(spec: object = {}, status: object = {}): Job {
  return {
    metadata: { name: 'j', uid: 'j' },
    spec: { parallelism: 2, template: {}, ...spec },
    status,
  } as unknown as Job
}
function pod(
  name: string,
  rest: { phase?: string; index?: string; deleting?: boolean; node?: string; failures?: number } = {},
): Pod {
  const { phase = 'Running', index, deleting, node = 'n', failures } = rest
  return {
    metadata: {
      name,
      uid: name,
      finalizers: FINALIZERS,
      creationTimestamp: '2026-01-01T11:00:00Z',
      annotations: {
        ...(index === undefined ? {} : { 'batch.kubernetes.io/job-completion-index': index }),
        ...(failures === undefined
          ? {}
          : { 'batch.kubernetes.io/job-index-failure-count': String(failures) }),
      },
      ...(deleting ? { deletionTimestamp: '2026-01-01T12:00:00Z' } : {}),
    },
    spec: { nodeName: node, containers: [] },
    status: { phase },
  } as unknown as Pod
}
const plan = (of: Job, pods: Pod[], failures = { count: 0, last: 0 }) => {
  const { create, remove, wait } = planPodChanges(viewJob(of, pods), failures, NOW)
  return { create, remove: remove.map(({ metadata }) => metadata.name), wait }
}
const indexed = { completionMode: 'Indexed', completions: 4, parallelism: 4 }

describe('the Pods of a Job', () => {
  it('are made up to its parallelism, and no more than completions are missing', () => {
    expect(plan(job({ completions: 5 }), []).create).toHaveLength(2)
    expect(plan(job({ completions: 5 }, { succeeded: 4 }), []).create).toHaveLength(1)
    expect(plan(job({ completions: 5 }, { succeeded: 5 }), []).create).toHaveLength(0)
    expect(plan(job({ completions: 5, parallelism: 2_000 }), []).create).toHaveLength(5)
    expect(plan(job({ completions: 9_000, parallelism: 9_000 }), []).create).toHaveLength(500)
  })

  it('wait after failures', () => {
    expect(plan(job({ completions: 5 }), [], { count: 1, last: NOW - 4_000 })).toEqual({
      create: [],
      remove: [],
      wait: 6_000,
    })
  })

  it('are replaced when they are being deleted, or only when they have ended', () => {
    const going = [pod('a', { deleting: true }), pod('b')]
    expect(plan(job({ completions: 5 }), going).create).toHaveLength(1)
    expect(plan(job({ completions: 5, podReplacementPolicy: 'Failed' }), going).create).toHaveLength(0)
  })

  it('that are least useful are deleted first if there are too many', () => {
    const pods = [
      pod('running'),
      pod('pending', { phase: 'Pending' }),
      pod('unbound', { phase: 'Pending', node: '' }),
    ]
    expect(plan(job({ completions: 5, parallelism: 1 }), pods).remove).toEqual(['unbound', 'pending'])
    expect(plan(job({ completions: 5, suspend: true }), pods).remove).toHaveLength(3)
  })

  it('take the lowest indexes that are free', () => {
    const pods = [pod('a', { index: '0' }), pod('b', { index: '2', phase: 'Succeeded' })]
    expect(plan(job(indexed), pods).create).toEqual([1, 3])
    expect(plan(job({ ...indexed, backoffLimitPerIndex: 1 }, { failedIndexes: '3' }), pods).create).toEqual([
      1,
    ])
  })

  it('with a duplicate index, or with none, are deleted', () => {
    const pods = [
      pod('a', { index: '0', phase: 'Pending' }),
      pod('b', { index: '0' }),
      pod('c'),
      pod('d', { index: '9' }),
    ]
    expect(plan(job(indexed), pods).remove.sort()).toEqual(['a', 'c', 'd'])
  })

  it('of an index that failed wait by the failures of that index alone', () => {
    const failed = pod('a', { index: '0', phase: 'Failed', failures: 0 })
    const limited = { ...indexed, backoffLimitPerIndex: 3 }
    expect(plan(job(limited), [failed]).create).toEqual([0, 1, 2, 3])
    const now = {
      ...failed,
      metadata: { ...failed.metadata, creationTimestamp: '2026-01-01T11:59:57Z' },
    } as Pod
    expect(plan(job(limited), [now]).create).toEqual([1, 2, 3])
    expect(plan(job({ ...limited, completions: 1, parallelism: 1 }), [now])).toMatchObject({
      create: [],
      wait: 7_000,
    })
  })
})
