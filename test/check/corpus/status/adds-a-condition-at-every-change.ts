import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Appends a condition for each generation and removes none, so that the status grows with every edit, as etcd-operator's did. */
export const addsConditions: CorpusOperator = {
  title: 'appends a condition for every generation',
  classes: ['history'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .writes(App, 'status.patch')
        .reconcile(async (key, { client, clock }) => {
          const app = await client.get(App, key)
          if (!app) return
          await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
          const conditions = app.status?.conditions ?? []
          const type = `Generation${app.metadata.generation}Done`
          if (conditions.some((condition) => condition.type === type)) return
          const lastTransitionTime = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
          const condition = { type, status: 'True' as const, reason: 'Done', message: '', lastTransitionTime }
          const status = { conditions: [...conditions, condition] }
          await client.status.patch(App, key, { type: 'merge', body: { status } })
        }),
    ),
}
