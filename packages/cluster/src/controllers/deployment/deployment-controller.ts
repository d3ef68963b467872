import { labelSelectorFrom, matchesLabels } from '@homeostat/api'
import { Deployment, Pod, ReplicaSet } from '@homeostat/api/kinds'
import { controller, controllerOf, controllerReference, type ReconcileContext } from 'homeostat'
import { adopted, planClaim, released } from '../pods/claim.ts'
import { Rollout } from './rollout.ts'

/**
 * Keeps a ReplicaSet for each template that a Deployment has had, and moves the Pods from the old ones to
 * the current one, step by step: each change of a ReplicaSet brings the next step.
 */
export const deploymentController = controller('deployment-controller')
  .for(Deployment)
  .owns(ReplicaSet)
  // With the strategy Recreate, the Deployment waits until the last old Pod has ended.
  .watches(
    Pod,
    async (pod, { client }) => {
      const { namespace } = pod.metadata
      const owner = controllerOf(pod)
      if (owner?.kind !== ReplicaSet.kind) return undefined
      const replicaSet = await client.get(ReplicaSet, { namespace, name: owner.name })
      const deployment = replicaSet && controllerOf(replicaSet)
      return deployment && { namespace, name: deployment.name }
    },
    { predicate: (event) => event.type === 'deleted' },
  )
  .options({ maxConcurrentReconciles: 4 })
  .reconcile(async (request, context) => {
    const { client } = context
    const deployment = await client.get(Deployment, request)
    if (!deployment) return undefined
    const replicaSets = await claimReplicaSets(deployment, context)
    return new Rollout(deployment, replicaSets, context).step()
  })

/** The ReplicaSets that the Deployment controls, after it has adopted those that match and released the others. */
async function claimReplicaSets(deployment: Deployment, { client }: ReconcileContext): Promise<ReplicaSet[]> {
  const { namespace } = deployment.metadata
  const selector = labelSelectorFrom(deployment.spec.selector)
  const all = await client.list(ReplicaSet, { namespace })
  const claim = planClaim(deployment, all, ({ metadata }) => matchesLabels(selector, metadata.labels ?? {}))
  const reference = controllerReference(deployment)
  const taken = await Promise.all(
    claim.adopt.map((set) => client.update(ReplicaSet, adopted(set, reference))),
  )
  await Promise.all(claim.release.map((set) => client.update(ReplicaSet, released(set, deployment))))
  return [...claim.owned, ...taken]
}
