import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** `if r.seen[req.NamespacedName] == obj.Generation { return }`: a map of the struct decides whether there is work. */
export const skipsSeen: CorpusOperator = {
  title: 'does nothing for a generation that it has seen in this process',
  classes: ['not-healed', 'failed-request', 'recreation'],
  operator: () => {
    const seen = new Map<string, number | undefined>()
    return appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const id = `${key.namespace}/${key.name}`
          if (seen.get(id) === app.metadata.generation) return
          await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
          seen.set(id, app.metadata.generation)
        }),
    )
  },
}
