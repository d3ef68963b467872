import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Remembers by name which Apps are set up. An App that is deleted and created again under its name gets nothing. */
export const remembersByName: CorpusOperator = {
  title: 'remembers by name which objects are set up',
  classes: ['recreation', 'not-healed'],
  operator: () => {
    const known = new Map<string, string>()
    return appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const name = `${key.namespace}/${key.name}`
          const owner = known.get(name) ?? app.metadata.uid
          known.set(name, owner)
          if (owner !== app.metadata.uid) return
          await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
        }),
    )
  },
}
