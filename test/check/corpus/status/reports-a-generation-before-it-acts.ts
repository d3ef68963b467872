import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/**
 * Writes `observedGeneration` at the beginning of the reconcile. While the Deployment cannot be written, tools that wait for the
 * generation take the roll-out for done, as with several operators that Argo CD watches.
 */
export const reportsGenerationFirst: CorpusOperator = {
  title: 'reports a generation as observed before it acts on it',
  classes: ['status-ahead'],
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
          const { generation } = app.metadata
          await client.status.apply(App, key, {
            ...(generation !== undefined && { observedGeneration: generation }),
          })
          await client.apply(Deployment, deploymentOf(app))
        }),
    ),
}
