import { timestamp, type Clock } from '@homeostat/api'
import { Deployment } from '@homeostat/api/kinds'
import { controller, type Controller } from 'homeostat'
import { LATE, type PodBehaviour } from './simulated-pods.ts'

/**
 * Writes the status of Deployments as their controller would, without ReplicaSets and Pods. It takes two writes where the real
 * controllers take a dozen, so it stands in for them where an operator does not look at either kind.
 */
export function simulatedDeployments(behaviour: () => PodBehaviour): Controller {
  return controller('simulated-deployments')
    .for(Deployment)
    .writes(Deployment, 'status.patch')
    .reconcile(async (key, { client, clock }) => {
      const deployment = await client.get(Deployment, key)
      if (!deployment || deployment.metadata.deletionTimestamp) return undefined
      const { generation = 1 } = deployment.metadata
      const { observedGeneration, conditions = [], availableReplicas = 0 } = deployment.status
      const replicas = deployment.spec.replicas ?? 1
      const patch = async (available: number): Promise<void> => {
        const status = statusOf(replicas, available, generation, clock)
        await client.status.patch(Deployment, key, { type: 'merge', body: { status } })
      }
      if (observedGeneration !== generation) {
        // Pods of before stay until those of the new template are ready.
        await patch(Math.min(availableReplicas, replicas))
        return undefined
      }
      const now = behaviour()
      if (now === 'never' || now === 'failing') {
        if (availableReplicas > 0) await patch(0)
        return undefined
      }
      const progressed =
        conditions.find(({ type }) => type === 'Progressing')?.reason === 'NewReplicaSetAvailable'
      if (progressed && availableReplicas === replicas) return undefined
      const since = conditions.find(({ type }) => type === 'Progressing')?.lastTransitionTime
      const age = since === undefined ? 0 : clock.now() - Date.parse(since)
      if (now === 'late' && age < LATE) return { requeueAfter: LATE - age }
      await patch(replicas)
      return undefined
    })
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
    readyReplicas: available || null,
    availableReplicas: available || null,
    unavailableReplicas: replicas - available || null,
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
