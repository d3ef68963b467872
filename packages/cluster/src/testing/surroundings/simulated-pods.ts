import { timestamp, type Clock } from '@homeostat/api'
import type { Pod } from '@homeostat/api/kinds'
import type { NextStatus } from './simulated-status.ts'

/**
 * How simulated Pods behave; no node runs them. `ready`: they are ready at once, and those of a Job succeed.
 * `late`: the same after two minutes. `never`: their image cannot be pulled. `failing`: their containers always
 * exit with code 1.
 */
export type PodBehaviour = 'ready' | 'late' | 'never' | 'failing'

/** After how many milliseconds a Pod of behaviour `late` is ready. */
export const LATE = 120_000

/**
 * The next status of a Pod, as a kubelet would write it, without running anything. A Pod is bound to no node, so that the API
 * server removes it at once when it is deleted.
 */
export function nextPodStatus(pod: Pod, behaviour: PodBehaviour, clock: Clock): NextStatus {
  const { phase } = pod.status
  if (phase === 'Succeeded' || phase === 'Failed') return undefined
  const age = clock.now() - Date.parse(pod.metadata.creationTimestamp)
  if (behaviour === 'late' && age < LATE) return { after: LATE - age }
  const { isReady: becomesReady = false, ...fields } = statusOf(pod, behaviour, clock)
  if (fields.phase === phase && isReady(pod) === becomesReady) return undefined
  return { fields }
}

interface SimulatedStatus {
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  readonly isReady?: boolean
  readonly [field: string]: unknown
}

function statusOf(pod: Pod, behaviour: PodBehaviour, clock: Clock): SimulatedStatus {
  const endsByItself = pod.spec.restartPolicy !== 'Always'
  const at = timestamp(clock.now())
  if (behaviour === 'never') {
    const waiting = { reason: 'ImagePullBackOff', message: 'the image cannot be pulled' }
    return { phase: 'Pending', ...parts(pod, { waiting }, 'False', at) }
  }
  if (behaviour === 'failing') {
    const terminated = { exitCode: 1, reason: 'Error', startedAt: at, finishedAt: at }
    if (endsByItself) return { phase: 'Failed', ...parts(pod, { terminated }, 'False', at) }
    const waiting = { reason: 'CrashLoopBackOff', message: 'the container ended with code 1' }
    return { phase: 'Running', ...parts(pod, { waiting }, 'False', at) }
  }
  if (endsByItself) {
    const terminated = { exitCode: 0, reason: 'Completed', startedAt: at, finishedAt: at }
    return { phase: 'Succeeded', ...parts(pod, { terminated }, 'False', at) }
  }
  return { phase: 'Running', isReady: true, ...parts(pod, { running: { startedAt: at } }, 'True', at) }
}

function parts(pod: Pod, state: object, ready: 'True' | 'False', lastTransitionTime: string): object {
  const isReady = ready === 'True'
  return {
    startTime: lastTransitionTime,
    ...(isReady && { podIP: '10.244.0.1', podIPs: [{ ip: '10.244.0.1' }] }),
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: type === 'Ready' || type === 'ContainersReady' ? ready : 'True',
      lastTransitionTime,
    })),
    containerStatuses: pod.spec.containers.map(({ name, image = '' }) => ({
      name,
      image,
      imageID: image,
      ready: isReady,
      started: isReady,
      restartCount: 0,
      state,
    })),
  }
}

function isReady(pod: Pod): boolean {
  return (pod.status.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True')
}
