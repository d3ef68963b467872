import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** `strings.HasPrefix(cm.Name, app.Name)` in place of an owner: App shop-2 counts for App shop. */
export const countsByPrefix: CorpusOperator = {
  title: 'counts the children whose names begin with its own',
  classes: ['not-isolated', 'interleaving'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .watches(ConfigMap, async ({ metadata: { namespace } }, { client }) =>
          (await client.list(App, { namespace })).map(({ metadata: { name } }) => ({ namespace, name })),
        )
        .writes(ConfigMap, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          await client.apply(ConfigMap, {
            metadata: childOf(app, '-settings'),
            data: { image: app.spec.image },
          })
          const all = await client.list(ConfigMap, { namespace: key.namespace })
          const ready = all.filter(({ metadata }) => metadata.name.startsWith(`${key.name}-`)).length
          await client.status.apply(App, key, { ready })
        }),
    ),
}
