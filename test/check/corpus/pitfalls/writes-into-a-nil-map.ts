import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Go style: ranges over an optional map as if it were always there. */
export const rangesOverNil: CorpusOperator = {
  title: 'goes through an optional map as if it were always there',
  classes: ['always-fails'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { env } = app.spec as { env: Record<string, string> }
          const names = Object.keys(env).toSorted().join(',')
          await client.apply(ConfigMap, { metadata: childOf(app), data: { names } })
        }),
    ),
}
