import { controller, isAlreadyExists } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** `@kopf.on.create` alone: a child that exists is left as it is, whatever the spec says since. */
export const createsOnly: CorpusOperator = {
  title: 'takes a child that exists for one that is right',
  classes: ['not-healed', 'history'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'create')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          try {
            await client.create(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
          } catch (error) {
            if (!isAlreadyExists(error)) throw error
          }
        }),
    ),
}
