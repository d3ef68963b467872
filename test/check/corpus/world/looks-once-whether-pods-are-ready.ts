import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/**
 * Looks at the readiness of the Deployment 30 seconds after it made it, and keeps that answer. Pods that take longer
 * are never reported as ready, as an operator for Kafka once marked slow clusters as failed for ever.
 */
export const looksOnce: CorpusOperator = {
  title: 'decides once, after 30 seconds, whether the Pods are ready',
  classes: ['late-pods', 'status-untrue'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .writes(App, 'status.patch')
        .reconcile(async (key, { client, clock }) => {
          const app = await client.get(App, key)
          if (!app) return undefined
          const { status, metadata } = await client.apply(Deployment, deploymentOf(app))
          if (app.status?.phase) return undefined
          const rest = Date.parse(metadata.creationTimestamp) + 30_000 - clock.now()
          if (rest > 0) return { requeueAfter: rest }
          const phase = (status?.readyReplicas ?? 0) >= app.spec.replicas ? 'Ready' : 'Failed'
          await client.status.patch(App, key, { type: 'merge', body: { status: { phase } } })
          return undefined
        }),
    ),
}
