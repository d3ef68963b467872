import { timestamp, type DeepReadonly } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import { podPhase } from './pod-phase.ts'
import { isSidecar } from '../container/index.ts'

/** The state of a Pod, as the node knows it. */
export interface PodView {
  readonly hostIP: string
  readonly podIP?: string | undefined
  readonly startTime: number
  readonly initContainers: readonly CoreV1.ContainerStatus[]
  readonly containers: readonly CoreV1.ContainerStatus[]
  /** Default: none. */
  readonly ephemeralContainers?: readonly CoreV1.ContainerStatus[] | undefined
  /** Whether the volumes and the address are ready. */
  readonly sandbox: boolean
  /** Whether the Pod is being ended, or has exceeded its deadline, so that nothing will start again. */
  readonly ending: boolean
  /** Why the node itself ended it. */
  readonly reason?: string | undefined
  readonly message?: string | undefined
}

/**
 * The status of a Pod as a node writes it. Conditions of others stay as they are, and a condition keeps
 * the time of its last transition while its status is the same.
 */
export function podStatus(pod: Pod, view: PodView, now: number): CoreV1.PodStatus {
  const phase = podPhase(pod, view)
  const terminal = phase === 'Succeeded' || phase === 'Failed'
  const initialized = isInitialized(pod, view)
  const beside = view.initContainers.filter(({ name }) => isSidecarOf(pod, name))
  const unready = [...beside, ...view.containers]
    .filter((container) => !container.ready)
    .map((container) => container.name)
  const ready = unready.length === 0 && !terminal
  const notReady =
    phase === 'Succeeded'
      ? { reason: 'PodCompleted' }
      : phase === 'Failed'
        ? { reason: 'PodFailed' }
        : { reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` }
  const containersReady = ready ? {} : notReady
  const gates = unmetGates(pod)
  const podReady = ready
    ? gates.length === 0
      ? {}
      : { reason: 'ReadinessGatesNotReady', message: gates.join(', ') }
    : notReady
  const uninitialized = view.initContainers
    .filter((container) => !isDone(pod, container))
    .map(({ name }) => name)
  const states: CoreV1.PodCondition[] = [
    { type: 'PodReadyToStartContainers', status: text(view.sandbox && !terminal) },
    {
      type: 'Initialized',
      status: text(initialized),
      ...(phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}),
      ...(initialized
        ? {}
        : {
            reason: 'ContainersNotInitialized',
            message: `containers with incomplete status: [${uninitialized.join(' ')}]`,
          }),
    },
    { type: 'Ready', status: text(ready && gates.length === 0), ...podReady },
    { type: 'ContainersReady', status: text(ready), ...containersReady },
    { type: 'PodScheduled', status: 'True' },
  ]
  return {
    ...optional('observedGeneration', pod.metadata.generation),
    phase,
    conditions: mergeConditions(pod, states, now),
    ...optional('message', view.message),
    ...optional('reason', view.reason),
    hostIP: view.hostIP,
    hostIPs: [{ ip: view.hostIP }],
    ...(view.podIP === undefined ? {} : { podIP: view.podIP, podIPs: [{ ip: view.podIP }] }),
    startTime: pod.status.startTime ?? timestamp(view.startTime),
    ...(view.initContainers.length > 0 ? { initContainerStatuses: [...view.initContainers] } : {}),
    containerStatuses: [...view.containers],
    ...(view.ephemeralContainers?.length
      ? { ephemeralContainerStatuses: [...view.ephemeralContainers] }
      : {}),
    ...optional('qosClass', pod.status.qosClass),
  }
}

function isInitialized(pod: Pod, view: PodView): boolean {
  // Once a main container has started, a sidecar that starts again changes nothing.
  return (
    view.containers.some(({ state }) => state?.running ?? state?.terminated) ||
    view.initContainers.every((container) => isDone(pod, container))
  )
}

/** An init container is done when it has succeeded; a sidecar, when it has started. */
function isDone(pod: Pod, container: CoreV1.ContainerStatus): boolean {
  return isSidecarOf(pod, container.name) ? container.started === true : container.ready
}

function isSidecarOf(pod: Pod, name: string): boolean {
  const spec = pod.spec.initContainers?.find((container) => container.name === name)
  return spec !== undefined && isSidecar(spec)
}

/** Messages for the readiness gates whose condition is not true. */
function unmetGates(pod: Pod): string[] {
  return (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = pod.status.conditions?.find(({ type }) => type === conditionType)
    if (condition?.status === 'True') return []
    return condition
      ? [`the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`]
      : [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`]
  })
}

function mergeConditions(
  pod: Pod,
  states: readonly CoreV1.PodCondition[],
  now: number,
): CoreV1.PodCondition[] {
  const before: DeepReadonly<CoreV1.PodCondition[]> = pod.status.conditions ?? []
  const ours = states.map((state) => {
    const same = before.find(({ type, status }) => type === state.type && status === state.status)
    const { type, status, ...rest } = state
    return {
      type,
      ...optional('observedGeneration', pod.metadata.generation),
      status,
      // The API has null for a time that was never set. The type has no null, since writers leave the field out.
      lastProbeTime: null as unknown as undefined,
      lastTransitionTime: same?.lastTransitionTime ?? timestamp(now),
      ...rest,
    }
  })
  const others = before.filter(({ type }) => !states.some((state) => state.type === type))
  return [...ours, ...others.map((condition) => ({ ...condition }))]
}

function text(status: boolean): 'True' | 'False' {
  return status ? 'True' : 'False'
}

function optional<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: V })
}
