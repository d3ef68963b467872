import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** Applies a Deployment without replicas: the number belongs to an autoscaler, and an edit of it is not undone. */
export const leavesReplicas: CorpusOperator = {
  title: 'leaves the replicas of its Deployment to an autoscaler',
  classes: [],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { metadata, spec } = deploymentOf(app)
          const { replicas: _, ...rest } = spec
          await client.apply(Deployment, { metadata, spec: rest })
        }),
    ),
}
