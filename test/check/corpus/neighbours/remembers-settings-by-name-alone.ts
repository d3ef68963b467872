import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Caches the rendered settings by the name of the App, without its namespace: the first of two namesakes decides for both. */
export const cachesByName: CorpusOperator = {
  title: 'caches rendered settings by name without the namespace',
  classes: ['not-isolated', 'interleaving'],
  operator: () => {
    const rendered = new Map<string, { generation: number | undefined; text: string }>()
    return appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { generation } = app.metadata
          let settings = rendered.get(key.name)
          if (settings?.generation !== generation) {
            settings = { generation, text: `image=${app.spec.image}` }
            rendered.set(key.name, settings)
          }
          await client.apply(ConfigMap, { metadata: childOf(app), data: { text: settings?.text ?? '' } })
        }),
    )
  },
}
