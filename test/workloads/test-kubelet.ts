import type { PodChange, PodChoice } from './scenario.ts'

/**
 * Which Pods a change is meant for, of all in the order of their making: those for which it makes sense, and which the
 * scenario chose.
 */
export function choosePods(pods: readonly any[], choice: PodChoice, become: PodChange): any[] {
  const found = pods.filter((pod) => matches(pod, choice) && makesSense(pod, choice, become))
  return choice.count === undefined ? found : found.slice(0, choice.count)
}

function matches(pod: any, { name, image, labels = {}, are }: PodChoice): boolean {
  if (name !== undefined && pod.metadata.name !== name) return false
  if (image !== undefined && pod.spec.containers[0].image !== image) return false
  if (are === 'running' && pod.status.phase !== 'Running') return false
  return Object.entries(labels).every(([key, value]) => pod.metadata.labels?.[key] === value)
}

function makesSense(pod: any, { are }: PodChoice, become: PodChange): boolean {
  const { phase, conditions = [] } = pod.status
  const isReady = conditions.some(({ type, status }: any) => type === 'Ready' && status === 'True')
  const isTerminating = pod.metadata.deletionTimestamp !== undefined
  if (become === 'gone') return isTerminating
  if (isTerminating !== (are === 'terminating')) return false
  if (typeof become !== 'string' || become === 'deleted') return true
  if (phase === 'Succeeded' || phase === 'Failed') return false
  if (become === 'ready') return !isReady
  if (become === 'unready') return isReady
  return become !== 'running' || phase === 'Pending'
}

/** The status that a kubelet writes for a Pod with one container. The scheduler's condition stays as it is. */
export function podStatus(
  pod: any,
  become: Exclude<PodChange, 'gone' | 'deleted' | object>,
  facts: { readonly now: string; readonly podIP: string; readonly exitCode: number },
): object {
  const { now, podIP, exitCode } = facts
  const running = become === 'running' || become === 'ready' || become === 'unready'
  const isReady = become === 'ready'
  const reason = become === 'succeeded' ? 'PodCompleted' : become === 'failed' ? 'PodFailed' : undefined
  const condition = (type: string, holds: boolean): object => {
    const before = pod.status.conditions?.find((one: any) => one.type === type)
    const status = holds ? 'True' : 'False'
    const why = holds ? undefined : (reason ?? 'ContainersNotReady')
    return {
      type,
      status,
      lastProbeTime: null,
      lastTransitionTime: before?.status === status ? before.lastTransitionTime : now,
      ...(why && type !== 'Initialized' ? { reason: why } : {}),
    }
  }
  const scheduled = pod.status.conditions?.filter(({ type }: any) => type === 'PodScheduled') ?? []
  const startedAt = pod.status.containerStatuses?.[0]?.state?.running?.startedAt ?? now
  const ended = {
    exitCode: become === 'failed' ? exitCode : 0,
    reason: become === 'failed' ? 'Error' : 'Completed',
    startedAt,
    finishedAt: now,
  }
  return {
    phase: running ? 'Running' : become === 'succeeded' ? 'Succeeded' : 'Failed',
    hostIP: '192.0.2.1',
    hostIPs: [{ ip: '192.0.2.1' }],
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: pod.status.startTime ?? now,
    conditions: [
      condition('Initialized', true),
      condition('Ready', isReady),
      condition('ContainersReady', isReady),
      ...scheduled,
    ],
    containerStatuses: pod.spec.containers.map(({ name, image }: any) => ({
      name,
      image,
      imageID: `sha256:${image}`,
      containerID: `test://${name}`,
      ready: isReady,
      restartCount: 0,
      started: running,
      state: running ? { running: { startedAt } } : { terminated: ended },
    })),
  }
}

/** The node as its kubelet would describe it. */
export function nodeStatus(now: string): object {
  return {
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        message: 'kubelet is posting ready status',
        lastHeartbeatTime: now,
        lastTransitionTime: now,
      },
    ],
    addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
  }
}
