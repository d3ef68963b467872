import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** Moves to the phase `Running` when all Pods are ready, and has no way back: after the Deployment was deleted it still says so. */
export const staysRunning: CorpusOperator = {
  title: 'stays in the phase Running when its Pods are gone',
  classes: ['status-untrue', 'not-healed', 'late-pods'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { status } = await client.apply(Deployment, deploymentOf(app))
          const isReady = (status?.readyReplicas ?? 0) >= app.spec.replicas
          const phase = isReady || app.status?.phase === 'Running' ? 'Running' : 'Pending'
          await client.status.apply(App, key, { phase })
        }),
    ),
}
