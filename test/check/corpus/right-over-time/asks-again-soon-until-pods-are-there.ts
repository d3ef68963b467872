import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** Polls every five seconds while Pods are missing, although it watches the Deployment too. It costs a little and ends. */
export const pollsUntilReady: CorpusOperator = {
  title: 'polls until all Pods are ready, beside its watch',
  classes: [],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return undefined
          const { status } = await client.apply(Deployment, deploymentOf(app))
          const ready = status?.readyReplicas ?? 0
          await client.status.apply(App, key, { ready })
          return ready < app.spec.replicas ? { requeueAfter: '5s' } : undefined
        }),
    ),
}
