import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/**
 * One controller of the operator applies the replicas of the spec, another one keeps at least two for availability.
 * For an App with one replica they undo each other's writes, as an operator and its own autoscaler once did.
 */
export const twoControllersFight: CorpusOperator = {
  title: 'has two controllers that set the replicas of one Deployment',
  classes: ['endless-loop', 'history'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (app) await client.apply(Deployment, deploymentOf(app))
        }),
      controller('availability')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'patch')
        .reconcile(async (key, { client }) => {
          const found = await client.get(Deployment, key)
          if (!found || (found.spec.replicas ?? 1) >= 2) return
          await client.patch(Deployment, key, { type: 'merge', body: { spec: { replicas: 2 } } })
        }),
    ),
}
