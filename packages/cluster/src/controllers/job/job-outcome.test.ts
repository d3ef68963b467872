import type { Job, Pod } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { endingCondition } from './job-outcome.ts'
import { viewJob } from './job-view.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')

function verdict(spec: object, pods: object[] = [], status: object = {}): string | undefined {
  const job = {
    metadata: { name: 'j', namespace: 'n' },
    spec: { backoffLimit: 1, template: { spec: {} }, ...spec },
    status: { startTime: '2026-01-01T11:59:00Z', ...status },
  } as unknown as Job
  const all = pods.map(
    (pod, i) =>
      ({
        spec: { containers: [] },
        ...pod,
        metadata: {
          name: `p${i}`,
          namespace: 'n',
          uid: `p${i}`,
          finalizers: ['batch.kubernetes.io/job-tracking'],
          ...(pod as { metadata?: object }).metadata,
        },
      }) as unknown as Pod,
  )
  const condition = endingCondition(viewJob(job, all), job.status.startTime, NOW)
  return condition && `${condition.type} ${condition.reason}: ${condition.message}`
}
const failed = { status: { phase: 'Failed' } }
const at = (index: number, phase: string): object => ({
  metadata: { annotations: { 'batch.kubernetes.io/job-completion-index': `${index}` } },
  status: { phase },
})
const exit = (exitCode: number, name = 'c'): object => ({
  status: {
    phase: 'Failed',
    containerStatuses: [{ name, restartCount: 0, state: { terminated: { exitCode } } }],
  },
})

describe('a Job', () => {
  it('goes on within its limits', () => {
    expect(verdict({})).toBeUndefined()
    expect(verdict({}, [failed])).toBeUndefined()
    expect(verdict({ activeDeadlineSeconds: 61 })).toBeUndefined()
  })

  it('fails when more Pods failed than its limit, counted or not', () => {
    const reached = 'FailureTarget BackoffLimitExceeded: Job has reached the specified backoff limit'
    expect(verdict({}, [failed, failed])).toBe(reached)
    expect(verdict({}, [failed], { failed: 1 })).toBe(reached)
    expect(verdict({}, [], { uncountedTerminatedPods: { failed: ['x', 'y'] } })).toBe(reached)
  })

  it('fails when containers restarted too often, where Pods restart them', () => {
    const restarted = { status: { phase: 'Running', containerStatuses: [{ restartCount: 1 }] } }
    const template = { spec: { restartPolicy: 'OnFailure' } }
    expect(verdict({ template }, [restarted])).toMatch(/^FailureTarget BackoffLimitExceeded/)
    expect(verdict({ template, backoffLimit: 2 }, [restarted])).toBeUndefined()
    expect(verdict({ template, backoffLimit: 0 }, [restarted])).toMatch(/^FailureTarget BackoffLimitExceeded/)
  })

  it('fails at its deadline, unless it is suspended', () => {
    const late = 'FailureTarget DeadlineExceeded: Job was active longer than specified deadline'
    expect(verdict({ activeDeadlineSeconds: 60 })).toBe(late)
    expect(verdict({ activeDeadlineSeconds: 60, suspend: true })).toBeUndefined()
  })

  it('follows the first rule of its policy that matches', () => {
    const podFailurePolicy = {
      rules: [
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        { action: 'FailJob', onExitCodes: { containerName: 'main', operator: 'NotIn', values: [1, 2] } },
        { action: 'Count', onExitCodes: { operator: 'In', values: [2] } },
      ],
    }
    const disrupted = {
      status: { phase: 'Failed', conditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    }
    expect(verdict({ podFailurePolicy }, [disrupted, disrupted, disrupted])).toBeUndefined()
    expect(verdict({ podFailurePolicy }, [exit(9)])).toBeUndefined()
    expect(verdict({ podFailurePolicy }, [exit(9, 'main')])).toBe(
      'FailureTarget PodFailurePolicy: Container main for pod n/p0 failed with exit code 9 matching FailJob rule at index 1',
    )
    expect(verdict({ podFailurePolicy }, [exit(2), exit(2)])).toMatch(/BackoffLimitExceeded/)
  })

  it('fails by its indexes', () => {
    const spec = { completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 0, backoffLimit: 99 }
    expect(verdict(spec, [at(0, 'Failed'), at(1, 'Succeeded')])).toBeUndefined()
    expect(verdict(spec, [at(0, 'Failed'), at(1, 'Succeeded'), at(2, 'Succeeded')])).toBe(
      'FailureTarget FailedIndexes: Job has failed indexes',
    )
    expect(verdict({ ...spec, maxFailedIndexes: 1 }, [at(0, 'Failed'), at(1, 'Failed')])).toBe(
      'FailureTarget MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes',
    )
  })

  it('succeeds by its policy', () => {
    const spec = (rule: object): object => ({
      completionMode: 'Indexed',
      completions: 5,
      successPolicy: { rules: [{ succeededIndexes: '4' }, rule] },
    })
    const two = [at(0, 'Succeeded'), at(2, 'Succeeded')]
    const matched = 'SuccessCriteriaMet SuccessPolicy: Matched rules at index 1'
    expect(verdict(spec({ succeededCount: 2 }), two)).toBe(matched)
    expect(verdict(spec({ succeededCount: 3 }), two)).toBeUndefined()
    expect(verdict(spec({ succeededIndexes: '0-2' }), two)).toBeUndefined()
    expect(verdict(spec({ succeededIndexes: '0-2', succeededCount: 2 }), two)).toBe(matched)
    expect(verdict(spec({ succeededIndexes: '0,2' }), two)).toBe(matched)
  })

  it('keeps a decision that was recorded before', () => {
    const noted = (type: string): object => ({
      conditions: [{ type, status: 'True', reason: 'R', message: 'M' }],
    })
    expect(verdict({}, [failed, failed], noted('SuccessCriteriaMet'))).toBe('SuccessCriteriaMet R: M')
    expect(verdict({}, [], noted('FailureTarget'))).toBe('Failed R: M')
  })
})
