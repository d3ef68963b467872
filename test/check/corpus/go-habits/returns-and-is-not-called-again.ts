import { controller } from 'homeostat'
import { Deployment, Service } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf, serviceOf } from '../kinds.ts'

/** `if !ready { return ctrl.Result{}, nil }` without a watch of the Deployment: nothing calls it again. */
export const isNotCalledAgain: CorpusOperator = {
  title: 'returns until its Deployment is ready, and nothing calls it again',
  classes: ['late-pods'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .reads(Deployment)
        .owns(Service)
        .writes(Deployment, 'apply')
        .writes(Service, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          await client.apply(Deployment, deploymentOf(app))
          const deployment = await client.live.get(Deployment, key)
          if ((deployment?.status.readyReplicas ?? 0) < app.spec.replicas) return
          await client.apply(Service, serviceOf(app, app.spec.port ?? 80))
        }),
    ),
}
