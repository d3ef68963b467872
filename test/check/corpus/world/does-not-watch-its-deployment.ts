import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** Applies a whole Deployment at each reconcile, and does not watch Deployments: a deletion goes unnoticed for hours. */
export const watchesNothing: CorpusOperator = {
  title: 'does not watch the Deployment that it makes',
  classes: ['not-healed'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .reads(Deployment)
        .writes(App, 'finalizers.update')
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (app) await client.apply(Deployment, deploymentOf(app))
        }),
    ),
}
