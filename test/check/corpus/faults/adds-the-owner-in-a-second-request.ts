import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/**
 * Creates its child without an owner and adds the reference by a patch, and does neither where the child exists.
 * After a crash between the two the child has no owner and outlives the App.
 */
export const addsOwnerLater: CorpusOperator = {
  title: 'adds the owner reference of a child in a second request',
  classes: ['crash', 'failed-request', 'left-behind'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'create', 'patch', 'delete')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app || app.metadata.deletionTimestamp || (await client.live.get(ConfigMap, key))) return
          const { ownerReferences, ...metadata } = childOf(app)
          await client.create(ConfigMap, { metadata, data: { kind: 'settings' } })
          await client.patch(ConfigMap, key, { type: 'merge', body: { metadata: { ownerReferences } } })
        }),
    ),
}
