import { controller, setCondition } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/**
 * Computes readiness from the ready replicas, without a look at the generation that the Deployment's controller has
 * observed. Right after a new image the old Pods count as ready, as neutron-operator and scylla-operator once had it.
 */
export const oldPodsCount: CorpusOperator = {
  title: 'counts the ready Pods of the old image as those of the new one',
  classes: ['status-untrue', 'status-ahead'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client, clock }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { status } = await client.apply(Deployment, deploymentOf(app))
          const isReady = (status?.readyReplicas ?? 0) >= app.spec.replicas
          const ready = {
            type: 'Ready',
            status: isReady ? ('True' as const) : ('False' as const),
            reason: 'Pods',
          }
          const conditions = setCondition(app.status?.conditions, ready, clock)
          const { generation = 0 } = app.metadata
          await client.status.apply(App, key, { observedGeneration: generation, conditions })
        }),
    ),
}
