import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/**
 * Updates the Deployment only when the image differs, so that neither a change of the replicas nor an edit of them
 * arrives. Acto found such ignored fields in most operators that it looked at.
 */
export const comparesImage: CorpusOperator = {
  title: 'compares the image alone before it updates',
  classes: ['not-healed', 'history'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'create', 'patch')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const wanted = deploymentOf(app)
          const found = await client.live.get(Deployment, key)
          if (!found) await client.create(Deployment, wanted)
          else if (found.spec.template.spec?.containers[0]?.image !== app.spec.image) {
            await client.patch(Deployment, key, { type: 'merge', body: { spec: wanted.spec } })
          }
        }),
    ),
}
