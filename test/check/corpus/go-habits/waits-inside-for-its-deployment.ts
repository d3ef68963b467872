import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** `wait.PollUntilContextCancel` inside the reconcile: Pods that never become ready hold a worker for ever. */
export const waitsInside: CorpusOperator = {
  title: 'waits inside of the reconcile until its Deployment is ready',
  classes: ['never-ends'],
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
          await client.apply(Deployment, deploymentOf(app))
          for (;;) {
            const deployment = await client.live.get(Deployment, key)
            if (!deployment || (deployment.status.readyReplicas ?? 0) >= app.spec.replicas) break
            await clock.sleep(5_000)
          }
          await client.status.apply(App, key, { phase: 'Ready' })
        }),
    ),
}
