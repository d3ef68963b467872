import { controller, controllerReference } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Sets all owner references of an object that has its name, also of one that another controller controls. */
export const onlyOwner: CorpusOperator = {
  title: 'replaces the owner of an object that has the name of its child',
  classes: ['takes-over'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'create', 'patch', 'delete')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const data = { image: app.spec.image }
          const found = await client.live.get(ConfigMap, key)
          if (!found) await client.create(ConfigMap, { metadata: childOf(app), data })
          else {
            const { labels, ownerReferences } = childOf(app)
            const isMine = found.metadata.ownerReferences?.[0]?.uid === controllerReference(app).uid
            const isLabelled = found.metadata.labels?.['corpus.example.com/owner'] === key.name
            if (isMine && isLabelled && found.data?.['image'] === data.image) return
            const body = { metadata: { labels, ownerReferences }, data }
            await client.patch(ConfigMap, key, { type: 'merge', body })
          }
        }),
    ),
}
