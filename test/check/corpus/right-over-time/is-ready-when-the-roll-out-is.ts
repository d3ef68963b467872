import { controller, setCondition } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** Says ready only when the Deployment's controller has seen the last change and all Pods are new and ready, at any time. */
export const tellsTruth: CorpusOperator = {
  title: 'says ready only of the generation that the Deployment has rolled out',
  classes: [],
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
          const { status, metadata } = await client.apply(Deployment, deploymentOf(app))
          const { replicas } = app.spec
          const isSeen = status?.observedGeneration === metadata.generation
          const counts = [status?.readyReplicas, status?.updatedReplicas, status?.replicas]
          const isReady = isSeen && counts.every((count) => count === replicas)
          const ready = {
            type: 'Ready',
            status: isReady ? ('True' as const) : ('False' as const),
            reason: 'Pods',
          }
          const conditions = setCondition(app.status?.conditions, ready, clock)
          await client.status.apply(App, key, { conditions })
        }),
    ),
}
