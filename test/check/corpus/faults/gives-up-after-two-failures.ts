import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/**
 * Counts its failures in the status and gives up after two of them, for ever: nothing resets the count. One failed
 * request is survived; two are not, as with operators whose retries had a budget that no success refilled.
 */
export const retryBudget: CorpusOperator = {
  title: 'gives up for ever after two failures',
  classes: ['combination', 'failed-request', 'history'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .writes(App, 'status.patch')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          const failures = app?.status?.ready ?? 0
          if (!app || failures >= 2) return
          try {
            await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
            if (failures > 0 && app.status?.phase !== 'Made') {
              await client.status.patch(App, key, { type: 'merge', body: { status: { ready: 0 } } })
            }
          } catch (error) {
            await client.status.patch(App, key, { type: 'merge', body: { status: { ready: failures + 1 } } })
            throw error
          }
        }),
    ),
}
