import { controller, predicates } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** Copies the number of ready Pods into the status, but drops events that change the status of a Deployment. */
export const dropsStatusEvents: CorpusOperator = {
  title: 'reports ready Pods and drops the events of their readiness',
  classes: ['late-pods', 'status-untrue', 'not-healed'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment, { predicate: predicates.generationChanged })
        .writes(Deployment, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { status } = await client.apply(Deployment, deploymentOf(app))
          await client.status.apply(App, key, { ready: status?.readyReplicas ?? 0 })
        }),
    ),
}
