import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Go style: a condition with `metav1.Now()` as its transition time at every reconcile. */
export const setsTransitionTime: CorpusOperator = {
  title: 'sets the transition time of its condition at each call',
  classes: ['endless-loop', 'writes-at-rest'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client, clock }) => {
          const app = await client.get(App, key)
          if (!app) return
          await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
          const lastTransitionTime = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
          const made = {
            type: 'Made',
            status: 'True' as const,
            reason: 'Made',
            message: '',
            lastTransitionTime,
          }
          await client.status.apply(App, key, { conditions: [made] })
        }),
    ),
}
