import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

const LAST = 'corpus.example.com/last-handled'

/** `@kopf.on.field(field='spec.image')`: compares with the last handled value, and acts on a difference alone. */
export const actsOnField: CorpusOperator = {
  title: 'acts only when the image differs from the one that it handled last',
  classes: ['not-healed', 'crash', 'failed-request'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(App, 'patch')
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app || app.metadata.annotations?.[LAST] === app.spec.image) return
          const body = { metadata: { annotations: { [LAST]: app.spec.image } } }
          await client.patch(App, key, { type: 'merge', body })
          await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
        }),
    ),
}
