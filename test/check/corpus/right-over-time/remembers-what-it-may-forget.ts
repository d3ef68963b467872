import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Keeps rendered texts in memory by their input. The memory is lost in a crash and shared by all objects, and neither matters. */
export const remembersRendering: CorpusOperator = {
  title: 'keeps in memory what follows from its input alone',
  classes: [],
  operator: () => {
    const rendered = new Map<string, string>()
    return appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .options({ maxConcurrentReconciles: 2 })
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { image } = app.spec
          const text = rendered.get(image) ?? `image = ${image}`
          rendered.set(image, text)
          await client.apply(ConfigMap, { metadata: childOf(app), data: { text } })
        }),
    )
  },
}
