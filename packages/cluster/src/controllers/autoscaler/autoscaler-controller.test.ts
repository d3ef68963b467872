import { Deployment, HorizontalPodAutoscaler, type AutoscalingV2 } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { autoscalerController } from './autoscaler-controller.ts'

const namespace = 'default'
const labels = { app: 'web' }
let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start(() => [autoscalerController])
})
afterEach(() => bench[Symbol.asyncDispose]())

async function deployment(replicas: number): Promise<void> {
  await bench.client.create(Deployment, {
    metadata: { namespace, name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'pause' }] } },
    },
  })
}
async function autoscaler(spec: Partial<AutoscalingV2.HorizontalPodAutoscalerSpec> = {}): Promise<void> {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
  await bench.client.create(HorizontalPodAutoscaler, {
    metadata: { namespace, name: 'h' },
    spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 5, ...spec },
  })
  await bench.settle()
}
const status = async () =>
  (await bench.client.getOrThrow(HorizontalPodAutoscaler, { namespace, name: 'h' })).status
const replicas = async () =>
  (await bench.client.getOrThrow(Deployment, { namespace, name: 'web' })).spec.replicas
const NO_METRICS =
  'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)'

describe('an autoscaler in a cluster without metrics', () => {
  it('says that it cannot scale, as that of Kubernetes does', async () => {
    await deployment(3)
    await autoscaler()
    expect(await status()).toMatchObject({
      currentReplicas: 3,
      desiredReplicas: 3,
      conditions: [
        {
          type: 'AbleToScale',
          status: 'True',
          reason: 'SucceededGetScale',
          message: "the HPA controller was able to get the target's current scale",
        },
        {
          type: 'ScalingActive',
          status: 'False',
          reason: 'FailedGetResourceMetric',
          message: `the HPA was unable to compute the replica count: ${NO_METRICS}`,
        },
      ],
    })
    await bench.advance('5m')
    expect(await bench.events('h')).toEqual([`FailedGetResourceMetric: ${NO_METRICS}`])
    expect(await replicas()).toBe(3)
  })

  it.each([
    [1, 2, 'New size: 2; reason: Current number of replicas below Spec.MinReplicas'],
    [9, 5, 'New size: 5; reason: Current number of replicas above Spec.MaxReplicas'],
  ])('brings %i replicas to %i', async (before, after, note) => {
    await deployment(before)
    await autoscaler()
    expect(await replicas()).toBe(after)
    expect(await bench.events('h')).toEqual([`SuccessfulRescale: ${note}`])
    expect(await status()).toMatchObject({
      currentReplicas: before,
      desiredReplicas: after,
      lastScaleTime: expect.any(String) as string,
      conditions: [
        {
          reason: 'SucceededRescale',
          message: `the HPA controller was able to update the target scale to ${after}`,
        },
      ],
    })
    await bench.advance('15s')
    expect((await status()).conditions?.map(({ reason }) => reason)).toEqual([
      'SucceededGetScale',
      'FailedGetResourceMetric',
    ])
  })

  it('leaves a target with no replicas alone', async () => {
    await deployment(0)
    await autoscaler()
    expect(await replicas()).toBe(0)
    expect((await status()).conditions).toMatchObject([{}, { reason: 'ScalingDisabled' }])
  })

  it('says that its target is missing', async () => {
    await autoscaler()
    expect((await status()).conditions).toMatchObject([
      {
        type: 'AbleToScale',
        status: 'False',
        reason: 'FailedGetScale',
        message: `the HPA controller was unable to get the target's current scale: deployments.apps "web" not found`,
      },
    ])
    expect(await bench.events('h')).toEqual(['FailedGetScale: deployments.apps "web" not found'])
  })

  it('names the metric that is missing', async () => {
    await deployment(3)
    const target = { type: 'Value', value: '1' } as const
    await autoscaler({ metrics: [{ type: 'External', external: { metric: { name: 'queue' }, target } }] })
    expect((await status()).conditions?.[1]).toMatchObject({
      reason: 'FailedGetExternalMetric',
      message: expect.stringContaining('(get queue.external.metrics.k8s.io)') as string,
    })
  })
})
