import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Lets creations and deletions of its ConfigMap pass and drops updates, "since only we update it", as filters in Go with `UpdateFunc` often do. */
export const dropsUpdates: CorpusOperator = {
  title: 'drops the update events of its ConfigMap',
  classes: ['not-healed'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap, { predicate: ({ type }) => type !== 'updated' })
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (app) await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
        }),
    ),
}
