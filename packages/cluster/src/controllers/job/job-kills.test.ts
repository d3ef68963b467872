import { Job, Pod } from '@homeostat/api/kinds'
import { expect, it } from 'vitest'
import { killAtEachCall } from '../../testing/index.ts'
import { jobController } from './job-controller.ts'
import { jobPodTracking } from './job-pod-tracking.ts'

const key = { namespace: 'default', name: 'work' }

it('a Job counts each Pod once wherever its controller is killed', { timeout: 300_000 }, async () => {
  const report = await killAtEachCall(
    { rights: 'all', controllers: [jobController(), jobPodTracking] },
    async (test) => {
      await test.client.create(Job, {
        metadata: key,
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } },
        },
      })
      await test.settle()
      for (const phase of ['Failed', 'Succeeded'] as const) {
        await test.advance('15s')
        const pods = await test.client.list(Pod)
        const pod = pods.find(({ status }) => status.phase === 'Pending')
        if (pod) await test.client.status.update(Pod, { ...pod, status: { ...pod.status, phase } })
      }
      await test.advance('10s')
      const { status } = await test.client.getOrThrow(Job, key)
      const pods = await test.client.list(Pod)
      return {
        succeeded: status.succeeded,
        failed: status.failed,
        uncounted: status.uncountedTerminatedPods,
        conditions: status.conditions?.map(({ type, reason }) => `${type} ${reason}`),
        pods: pods.map((pod) => pod.status.phase ?? '').sort((a, b) => (a < b ? -1 : 1)),
        held: pods.flatMap(({ metadata }) => metadata.finalizers ?? []),
      }
    },
  )
  expect(report.state).toEqual({
    succeeded: 1,
    failed: 1,
    uncounted: {},
    conditions: ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'],
    pods: ['Failed', 'Succeeded'],
    held: [],
  })
  expect(report.kills).toBeGreaterThan(20)
})
