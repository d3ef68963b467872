import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** kopf style: separate handlers for create and update, chosen by the cause of the call, which may be merged or lost. */
export const actsOnCause: CorpusOperator = {
  title: 'makes its child only when the cause of the call is a creation',
  classes: ['crash', 'failed-request', 'not-healed', 'downtime', 'stale-cache'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client, causes }) => {
          const app = await client.get(App, key)
          if (!app) return
          const isCreation = causes.some(({ type }) => type === 'created')
          const isUpdate = causes.some(({ type }) => type === 'updated')
          if (isCreation || isUpdate) {
            await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
          }
        }),
    ),
}
