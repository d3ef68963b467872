import { timestamp, type Clock } from '@homeostat/api'
import type { Deployment } from '@homeostat/api/kinds'
import { LATE, type PodBehaviour } from './simulated-pods.ts'
import type { NextStatus } from './simulated-status.ts'

/**
 * The next status of a Deployment, as its controller would write it, without ReplicaSets and Pods. It takes two writes where the
 * real controllers take a dozen, so it stands in for them where an operator does not look at either kind.
 */
export function nextDeploymentStatus(
  deployment: Deployment,
  behaviour: PodBehaviour,
  clock: Clock,
): NextStatus {
  const { generation = 1 } = deployment.metadata
  const { observedGeneration, conditions = [], availableReplicas = 0 } = deployment.status ?? {}
  const replicas = deployment.spec.replicas ?? 1
  const available = (count: number): NextStatus => ({
    fields: statusOf(replicas, count, generation, clock),
  })
  // The old Pods stay until those of the new template are ready.
  if (observedGeneration !== generation) return available(Math.min(availableReplicas, replicas))
  if (behaviour === 'never' || behaviour === 'failing')
    return availableReplicas > 0 ? available(0) : undefined
  const progressing = conditions.find(({ type }) => type === 'Progressing')
  if (progressing?.reason === 'NewReplicaSetAvailable' && availableReplicas === replicas) return undefined
  const since = progressing?.lastTransitionTime
  const age = since === undefined ? 0 : clock.now() - Date.parse(since)
  return behaviour === 'late' && age < LATE ? { after: LATE - age } : available(replicas)
}

function statusOf(replicas: number, available: number, observedGeneration: number, clock: Clock) {
  const at = timestamp(clock.now())
  const isAvailable = available >= replicas
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastUpdateTime: at,
    lastTransitionTime: at,
  })
  return {
    observedGeneration,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: available || undefined,
    availableReplicas: available || undefined,
    unavailableReplicas: replicas - available || undefined,
    terminatingReplicas: 0,
    conditions: [
      isAvailable
        ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
        : condition(
            'Available',
            'False',
            'MinimumReplicasUnavailable',
            'Deployment does not have minimum availability.',
          ),
      isAvailable
        ? condition(
            'Progressing',
            'True',
            'NewReplicaSetAvailable',
            'The ReplicaSet has successfully progressed.',
          )
        : condition('Progressing', 'True', 'ReplicaSetUpdated', 'The ReplicaSet is progressing.'),
    ],
  }
}
