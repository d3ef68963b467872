import type { CoreV1, Pod } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { podStatus, type PodView } from './pod-status.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')

function pod(spec: Partial<CoreV1.PodSpec> = {}, status: CoreV1.PodStatus = {}): Pod {
  return {
    metadata: { name: 'p', namespace: 'default', uid: 'u', generation: 4 },
    spec: { containers: [], ...spec },
    status,
  } as unknown as Pod
}
function container(
  state: CoreV1.ContainerState,
  rest: Partial<CoreV1.ContainerStatus> = {},
): CoreV1.ContainerStatus {
  return {
    name: 'c',
    state,
    lastState: {},
    ready: state.running !== undefined,
    restartCount: 0,
    image: '',
    imageID: '',
    ...rest,
  }
}
const running = container({ running: {} })
const exited = (exitCode: number): CoreV1.ContainerStatus => container({ terminated: { exitCode } })
const waiting = container({ waiting: { reason: 'ContainerCreating' } })
const crashing = container(
  { waiting: { reason: 'CrashLoopBackOff' } },
  { lastState: { terminated: { exitCode: 1 } } },
)

function phase(
  restartPolicy: CoreV1.PodSpec['restartPolicy'],
  containers: CoreV1.ContainerStatus[],
  view: Partial<PodView> = {},
): string | undefined {
  const spec = {
    restartPolicy,
    containers: containers.map(({ name }) => ({ name })),
    initContainers: (view.initContainers ?? []).map(({ name }) => ({ name })),
  }
  return podStatus(pod(spec), { ...base, containers, ...view }, NOW).phase
}
const base: PodView = {
  hostIP: '127.0.0.1',
  startTime: NOW,
  initContainers: [],
  containers: [],
  sandbox: true,
  ending: false,
}

describe('the phase of a Pod', () => {
  it.each<[CoreV1.PodSpec['restartPolicy'], CoreV1.ContainerStatus[], string]>([
    ['Always', [waiting], 'Pending'],
    ['Always', [running, waiting], 'Pending'],
    ['Always', [running], 'Running'],
    ['Always', [running, exited(1)], 'Running'],
    ['Always', [crashing], 'Running'],
    ['Always', [exited(0)], 'Running'],
    ['OnFailure', [exited(0)], 'Succeeded'],
    ['OnFailure', [exited(1)], 'Running'],
    ['OnFailure', [exited(0), running], 'Running'],
    ['Never', [exited(0), exited(0)], 'Succeeded'],
    ['Never', [exited(0), exited(2)], 'Failed'],
  ])('with restartPolicy %s and %j is %s', (policy, containers, expected) => {
    expect(phase(policy, containers)).toBe(expected)
  })

  it('is final for a Pod that has ended, whatever its policy', () => {
    expect(phase('Always', [exited(0)], { ending: true })).toBe('Succeeded')
    expect(phase('Always', [exited(137)], { ending: true })).toBe('Failed')
    expect(phase('Never', [exited(0)], { ending: true, reason: 'DeadlineExceeded' })).toBe('Failed')
    const over = pod({ restartPolicy: 'Always' }, { phase: 'Failed' })
    expect(podStatus(over, { ...base, containers: [running] }, NOW).phase).toBe('Failed')
  })

  it('fails with an init container that is not started again', () => {
    const initContainers = [exited(1)]
    expect(phase('Never', [waiting], { initContainers })).toBe('Failed')
    expect(phase('OnFailure', [waiting], { initContainers })).toBe('Pending')
  })
})

describe('the conditions of a Pod', () => {
  it('keep their time while their status stays, and those of others stay as they are', () => {
    const conditions: CoreV1.PodCondition[] = [
      { type: 'Ready', status: 'True', lastTransitionTime: '2025-01-01T00:00:00Z' },
      { type: 'ContainersReady', status: 'False', lastTransitionTime: '2025-01-01T00:00:00Z' },
      { type: 'PodScheduled', status: 'True', lastTransitionTime: '2025-01-01T00:00:00Z' },
    ]
    const status = podStatus(pod({}, { conditions }), { ...base, containers: [running] }, NOW)
    expect(
      status.conditions?.map(({ type, lastTransitionTime }) => [type, lastTransitionTime?.slice(0, 4)]),
    ).toEqual([
      ['PodReadyToStartContainers', '2026'],
      ['Initialized', '2026'],
      ['Ready', '2025'],
      ['ContainersReady', '2026'],
      ['PodScheduled', '2025'],
    ])
  })

  it('wait for readiness gates', () => {
    const gated = pod({ readinessGates: [{ conditionType: 'x.example.com/up' }] })
    const status = podStatus(gated, { ...base, containers: [running] }, NOW)
    expect(status.conditions?.slice(2, 4)).toMatchObject([
      { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' },
      { type: 'ContainersReady', status: 'True' },
    ])
    const conditions = [{ type: 'x.example.com/up', status: 'True' as const }]
    const open = podStatus({ ...gated, status: { conditions } }, { ...base, containers: [running] }, NOW)
    expect(open.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True')
  })

  it('have the reason PodCompleted when it succeeded', () => {
    const status = podStatus(
      pod({ restartPolicy: 'Never', containers: [{ name: 'c' }] }),
      { ...base, containers: [exited(0)] },
      NOW,
    )
    expect(status.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      'PodReadyToStartContainers False undefined',
      'Initialized True PodCompleted',
      'Ready False PodCompleted',
      'ContainersReady False PodCompleted',
      'PodScheduled True undefined',
    ])
  })
})
