import type { TableSample } from '../table-sample.ts'
import { container, core, image } from './objects.ts'

function pod(title: string, spec: Record<string, unknown>, status: Record<string, unknown>): TableSample {
  return core(title, 'pods', { spec: { containers: [container('web')], ...spec } }, status)
}

const running = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  image,
  imageID: '',
  restartCount: 0,
  ready: true,
  started: true,
  state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
  ...more,
})

const ended = (name: string, terminated: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  name,
  image,
  imageID: '',
  restartCount: 0,
  ready: false,
  state: {
    terminated: {
      exitCode: 0,
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:00:09Z',
      ...terminated,
    },
  },
  ...more,
})

const waiting = (name: string, reason?: string) => ({
  name,
  image,
  imageID: '',
  restartCount: 0,
  ready: false,
  state: { waiting: reason ? { reason } : {} },
})

const ready = [{ type: 'Ready', status: 'True' }]

export const pods: TableSample[] = [
  pod('pod-new', {}, { phase: 'Pending' }),
  pod(
    'pod-running',
    {
      nodeName: 'node-1',
      readinessGates: [{ conditionType: 'example.com/a' }, { conditionType: 'example.com/b' }],
    },
    {
      phase: 'Running',
      podIPs: [{ ip: '10.1.2.3' }],
      conditions: [...ready, { type: 'example.com/a', status: 'True' }],
      containerStatuses: [running('web')],
    },
  ),
  pod(
    'pod-restarted',
    {},
    {
      phase: 'Running',
      conditions: ready,
      containerStatuses: [
        running('web', {
          restartCount: 3,
          lastState: {
            terminated: {
              exitCode: 1,
              startedAt: '2010-01-01T00:00:00Z',
              finishedAt: '2010-01-02T00:00:00Z',
            },
          },
        }),
      ],
    },
  ),
  pod('pod-crashing', {}, { phase: 'Running', containerStatuses: [waiting('web', 'CrashLoopBackOff')] }),
  pod(
    'pod-succeeded',
    { restartPolicy: 'Never' },
    { phase: 'Succeeded', containerStatuses: [ended('web', { reason: 'Completed' })] },
  ),
  pod(
    'pod-failed-by-signal',
    { restartPolicy: 'Never' },
    { phase: 'Failed', containerStatuses: [ended('web', { exitCode: 137, signal: 9 })] },
  ),
  pod(
    'pod-failed-by-code',
    { restartPolicy: 'Never' },
    { phase: 'Failed', containerStatuses: [ended('web', { exitCode: 3 })] },
  ),
  pod('pod-evicted', {}, { phase: 'Failed', reason: 'Evicted' }),
  pod(
    'pod-gated',
    {},
    { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
  ),
  pod(
    'pod-initializing',
    { initContainers: [container('one'), container('two')] },
    {
      phase: 'Pending',
      initContainerStatuses: [ended('one', { reason: 'Completed' }), waiting('two', 'PodInitializing')],
      containerStatuses: [waiting('web', 'PodInitializing')],
    },
  ),
  pod(
    'pod-init-failed',
    { initContainers: [container('one')] },
    { phase: 'Pending', initContainerStatuses: [ended('one', { exitCode: 2 }, { restartCount: 4 })] },
  ),
  pod(
    'pod-with-sidecar',
    { initContainers: [{ ...container('proxy'), restartPolicy: 'Always' }] },
    {
      phase: 'Running',
      conditions: ready,
      initContainerStatuses: [running('proxy', { restartCount: 2 })],
      containerStatuses: [running('web')],
    },
  ),
  pod(
    'pod-half-done',
    { containers: [container('web'), container('log')], restartPolicy: 'Never' },
    {
      phase: 'Running',
      containerStatuses: [ended('web', { reason: 'Completed' }), running('log')],
    },
  ),
]
