import type { CreateOf } from '@homeostat/api'
import { Job, Pod, type BatchV1, type CoreV1 } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { garbageCollector } from '../../garbage-collector/garbage-collector.ts'
import { jobController } from './job-controller.ts'
import { jobPodTracking } from './job-pod-tracking.ts'
import { jobTtlController } from './job-ttl-controller.ts'

const namespace = 'default'
const key = { namespace, name: 'work' }

let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start((kinds) => [
    jobController(),
    jobPodTracking,
    jobTtlController,
    garbageCollector(kinds),
  ])
})
afterEach(() => bench[Symbol.asyncDispose]())

function job(spec: Partial<BatchV1.JobSpec> = {}, pod: Partial<CoreV1.PodSpec> = {}): CreateOf<typeof Job> {
  return {
    metadata: key,
    spec: {
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }], ...pod },
      },
      ...spec,
    },
  }
}
async function create(spec: Partial<BatchV1.JobSpec> = {}, pod: Partial<CoreV1.PodSpec> = {}): Promise<Job> {
  const created = await bench.client.create(Job, job(spec, pod))
  await bench.settle()
  return created
}
const current = (): Promise<Job> => bench.client.getOrThrow(Job, key)
async function pods(): Promise<Pod[]> {
  const all = await bench.client.list(Pod, { namespace })
  return [...all].sort((a, b) => (indexOf(a) < indexOf(b) ? -1 : 1))
}
const running = async (): Promise<Pod[]> =>
  (await pods()).filter(({ status }) => !['Succeeded', 'Failed'].includes(status.phase ?? ''))
const indexOf = (pod: Pod): string =>
  pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index'] ?? ''
async function end(pod: Pod | undefined, phase: 'Succeeded' | 'Failed', exitCode = 1): Promise<void> {
  const finishedAt = new Date(bench.clock.now()).toISOString().replace('.000Z', 'Z')
  const terminated = { exitCode: phase === 'Succeeded' ? 0 : exitCode, finishedAt }
  const status = { name: 'c', image: 'busybox', imageID: '', ready: false, restartCount: 0 }
  await bench.setPod(pod?.metadata as { namespace: string; name: string }, {
    phase,
    containerStatuses: [{ ...status, state: { terminated } }],
  })
  await bench.advance('1s')
}
const conditions = ({ status }: Job): string[] =>
  (status.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason}`)

describe('a Job', () => {
  it('makes a Pod, counts its success exactly once and is complete', async () => {
    await create()
    const [pod] = await pods()
    expect(pod?.metadata).toMatchObject({
      generateName: 'work-',
      finalizers: ['batch.kubernetes.io/job-tracking'],
      labels: { 'job-name': 'work', 'batch.kubernetes.io/job-name': 'work' },
    })
    expect((await current()).status).toEqual({
      active: 1,
      ready: 0,
      terminating: 0,
      startTime: '2026-01-01T12:00:00Z',
      uncountedTerminatedPods: {},
    })
    await end(pod, 'Succeeded')
    const done = await current()
    expect(done.status).toMatchObject({
      succeeded: 1,
      ready: 0,
      terminating: 0,
      completionTime: '2026-01-01T12:00:01Z',
    })
    expect(done.status.active).toBeUndefined()
    expect(done.status.uncountedTerminatedPods).toEqual({})
    expect(conditions(done)).toEqual([
      'SuccessCriteriaMet=True CompletionsReached',
      'Complete=True CompletionsReached',
    ])
    expect((await pods())[0]?.metadata.finalizers).toBeUndefined()
    expect(await bench.events('work')).toEqual([
      `SuccessfulCreate: Created pod: ${pod?.metadata.name}`,
      'Completed: Job completed',
    ])
  })

  it('runs as many Pods as its parallelism until all completions are reached', async () => {
    await create({ completions: 5, parallelism: 2 })
    for (let left = 5; left > 0; left--) {
      const active = await running()
      expect(active).toHaveLength(Math.min(2, left))
      await end(active[0], 'Succeeded')
    }
    expect((await current()).status).toMatchObject({ succeeded: 5 })
    expect(await pods()).toHaveLength(5)
  })

  it('waits 10 seconds after a failure, then 20, and fails past its limit', async () => {
    await create({ backoffLimit: 2 })
    await end((await running())[0], 'Failed')
    expect(await running()).toHaveLength(0)
    expect((await current()).status).toMatchObject({ failed: 1 })
    await bench.advance('8s')
    expect(await running()).toHaveLength(0)
    await bench.advance('1s')
    expect(await running()).toHaveLength(1)
    await end((await running())[0], 'Failed')
    await bench.advance('18s')
    expect(await running()).toHaveLength(0)
    await bench.advance('1s')
    await end((await running())[0], 'Failed')
    const failed = await current()
    expect(conditions(failed)).toEqual([
      'FailureTarget=True BackoffLimitExceeded',
      'Failed=True BackoffLimitExceeded',
    ])
    expect(failed.status.failed).toBe(3)
    expect(await bench.events('work')).toContain(
      'BackoffLimitExceeded: Job has reached the specified backoff limit',
    )
    expect(await pods()).toHaveLength(3)
  })

  it('ends its Pods when it has been active for too long', async () => {
    await create({ activeDeadlineSeconds: 30, parallelism: 2, completions: 2 })
    await bench.advance('29s')
    expect(await running()).toHaveLength(2)
    await bench.advance('3s')
    const failed = await current()
    expect(conditions(failed)).toEqual([
      'FailureTarget=True DeadlineExceeded',
      'Failed=True DeadlineExceeded',
    ])
    expect(failed.status).toMatchObject({ failed: 2, ready: 0, terminating: 0 })
    expect(await pods()).toEqual([])
  })

  it('deletes its Pods while it is suspended, and creates new ones when it is not', async () => {
    await create({ suspend: true })
    expect(await pods()).toEqual([])
    expect(conditions(await current())).toEqual(['Suspended=True JobSuspended'])
    expect((await current()).status.startTime).toBeUndefined()
    await bench.advance('1m')
    await bench.client.patch(Job, key, { type: 'merge', body: { spec: { suspend: false } } })
    await bench.settle()
    expect(conditions(await current())).toEqual(['Suspended=False JobResumed'])
    expect((await current()).status.startTime).toBe('2026-01-01T12:01:00Z')
    expect(await running()).toHaveLength(1)
    await bench.client.patch(Job, key, { type: 'merge', body: { spec: { suspend: true } } })
    await bench.advance('2s')
    expect(await pods()).toEqual([])
    expect((await current()).status).toMatchObject({ ready: 0, terminating: 0 })
    expect(await bench.events('work')).toEqual(
      expect.arrayContaining(['Suspended: Job suspended', 'Resumed: Job resumed']),
    )
  })

  it('without a number of completions is complete when one Pod succeeded and none runs', async () => {
    await create({ parallelism: 2 })
    const [first, second] = await running()
    await end(first, 'Succeeded')
    expect(conditions(await current())).toEqual([])
    expect(await running()).toHaveLength(1)
    await end(second, 'Succeeded')
    expect(conditions(await current())).toContain('Complete=True CompletionsReached')
  })

  it('deletes surplus Pods when its parallelism is lowered', async () => {
    await create({ parallelism: 3, completions: 3 })
    expect(await running()).toHaveLength(3)
    await bench.client.patch(Job, key, { type: 'merge', body: { spec: { parallelism: 1 } } })
    await bench.advance('2s')
    expect(await pods()).toHaveLength(1)
    expect((await current()).status).toMatchObject({ active: 1, terminating: 0 })
    expect((await current()).status.failed).toBeUndefined()
  })

  it('is deleted with its Pods when its time to live after the end has passed', async () => {
    await create({ ttlSecondsAfterFinished: 60 })
    await end((await running())[0], 'Succeeded')
    await bench.advance('58s')
    expect(await bench.client.get(Job, key)).toBeDefined()
    await bench.advance('2s')
    expect(await bench.client.get(Job, key)).toBeUndefined()
    expect(await pods()).toEqual([])
  })

  it('removes the finalizers of its Pods when it is deleted before they end', async () => {
    await create({ parallelism: 2, completions: 2 })
    await bench.client.delete(Job, key, { propagation: 'Background' })
    await bench.advance('2s')
    expect(await pods()).toEqual([])
  })

  it('that names another controller is left alone', async () => {
    await create({ managedBy: 'example.com/other' })
    await bench.advance('5s')
    expect(await pods()).toEqual([])
    expect((await current()).status).toEqual({})
  })

  it('fails at once by its policy, and replaces Pods whose failure does not count', async () => {
    await create({
      backoffLimit: 6,
      podFailurePolicy: {
        rules: [
          { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
          { action: 'Ignore', onExitCodes: { operator: 'In', values: [7] } },
        ],
      },
    })
    await end((await running())[0], 'Failed', 7)
    expect((await current()).status.failed).toBeUndefined()
    await bench.advance('10s')
    const [second] = await running()
    await end(second, 'Failed', 42)
    const failed = await current()
    expect(failed.status.conditions?.at(-1)).toMatchObject({
      type: 'Failed',
      reason: 'PodFailurePolicy',
      message: `Container c for pod default/${second?.metadata.name} failed with exit code 42 matching FailJob rule at index 0`,
    })
  })

  it('counts no Pod twice and loses none when the process ends between two writes', async () => {
    await create({ completions: 1 })
    const [pod] = await pods()
    // The state that a process leaves if it ends after it recorded the Pod and before it removed the finalizer.
    const before = await current()
    await bench.client.status.update(Job, {
      ...before,
      status: { ...before.status, uncountedTerminatedPods: { succeeded: [pod?.metadata.uid ?? ''] } },
    })
    await end(pod, 'Succeeded')
    expect((await current()).status).toMatchObject({ succeeded: 1, uncountedTerminatedPods: {} })
  })
})

describe('an Indexed Job', () => {
  const indexed = (spec: Partial<BatchV1.JobSpec> = {}): Partial<BatchV1.JobSpec> => ({
    completionMode: 'Indexed',
    completions: 3,
    parallelism: 3,
    ...spec,
  })

  it('gives each Pod its index and completes when each index has succeeded', async () => {
    await create(indexed())
    const all = await pods()
    expect(all.map(indexOf)).toEqual(['0', '1', '2'])
    expect(all[1]).toMatchObject({
      metadata: {
        generateName: 'work-1-',
        labels: { 'batch.kubernetes.io/job-completion-index': '1' },
      },
      spec: {
        hostname: 'work-1',
        containers: [
          {
            env: [
              {
                name: 'JOB_COMPLETION_INDEX',
                valueFrom: {
                  fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" },
                },
              },
            ],
          },
        ],
      },
    })
    await end(all[2], 'Succeeded')
    await end(all[0], 'Succeeded')
    expect((await current()).status).toMatchObject({ completedIndexes: '0,2', succeeded: 2, active: 1 })
    await end(all[1], 'Succeeded')
    expect((await current()).status.completedIndexes).toBe('0-2')
    expect(conditions(await current())).toContain('Complete=True CompletionsReached')
  })

  it('limits the failures of each index and goes on with the others', async () => {
    await create(indexed({ backoffLimitPerIndex: 1, completions: 2, parallelism: 2 }))
    const [first, second] = await pods()
    await end(first, 'Failed')
    // Its replacement takes over how often the index failed, so it stays until then.
    expect((await pods())[0]?.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking'])
    await bench.advance('9s')
    const again = (await running()).find((pod) => indexOf(pod) === '0')
    expect(again?.metadata.annotations).toMatchObject({ 'batch.kubernetes.io/job-index-failure-count': '1' })
    await end(again, 'Failed')
    expect((await current()).status).toMatchObject({ failedIndexes: '0', failed: 2, active: 1 })
    await end(second, 'Succeeded')
    await bench.advance('1s')
    expect(conditions(await current())).toEqual([
      'FailureTarget=True FailedIndexes',
      'Failed=True FailedIndexes',
    ])
    expect((await current()).status).toMatchObject({ completedIndexes: '1', failedIndexes: '0' })
  })

  it('succeeds as soon as its policy is satisfied, and ends the other Pods', async () => {
    await create(indexed({ successPolicy: { rules: [{ succeededIndexes: '1' }] } }))
    await end((await pods())[1], 'Succeeded')
    await bench.advance('2s')
    const done = await current()
    expect(conditions(done)).toEqual(['SuccessCriteriaMet=True SuccessPolicy', 'Complete=True SuccessPolicy'])
    expect(done.status.conditions?.[0]?.message).toBe('Matched rules at index 0')
    expect(done.status.failed).toBeUndefined()
    expect(await running()).toEqual([])
  })
})
