import { controller, isConflict } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/**
 * Treats a conflict as "another write will call us again" and returns. Where the other writer was faster and is done,
 * no further event comes, as in operators that logged conflicts as noise.
 */
export const ignoresConflict: CorpusOperator = {
  title: 'returns after a conflict, as if another event were sure to come',
  classes: ['failed-request', 'combination', 'interleaving'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .writes(App, 'update', 'finalizers.update')
        .writes(Deployment, 'apply')
        .reads(Deployment)
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app || app.metadata.deletionTimestamp) return
          const labels = { ...app.metadata.labels, 'corpus.example.com/managed': 'true' }
          try {
            if (app.metadata.labels?.['corpus.example.com/managed'] !== 'true') {
              await client.update(App, { ...app, metadata: { ...app.metadata, labels } })
            }
            await client.apply(Deployment, deploymentOf(app))
          } catch (error) {
            if (!isConflict(error)) throw error
          }
        }),
    ),
}
