import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/**
 * Looks for its child by a label and creates one if there is none. Without the label the child is invisible to it, and the
 * create fails from then on, since the name is taken.
 */
export const findsByLabel: CorpusOperator = {
  title: 'finds its child by a label that another client can remove',
  classes: ['not-healed', 'always-fails'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'create', 'patch')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const metadata = childOf(app)
          const data = { image: app.spec.image }
          const [found] = await client.list(ConfigMap, { namespace: key.namespace, labels: metadata.labels })
          if (!found) await client.create(ConfigMap, { metadata, data })
          else if (found.data?.['image'] !== data.image) {
            await client.patch(ConfigMap, key, { type: 'merge', body: { data } })
          }
        }),
    ),
}
