import { controller } from 'homeostat'
import { StatefulSet } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf, podTemplate } from '../kinds.ts'

/** kopf style: the value that the handler returns goes into the status and says that all is ready. */
export const readyWhenItReturns: CorpusOperator = {
  title: 'reports all replicas as ready when the handler returns',
  classes: ['status-untrue', 'late-pods'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(StatefulSet)
        .writes(StatefulSet, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { image, replicas } = app.spec
          const selector = { matchLabels: { app: key.name } }
          const spec = { serviceName: key.name, replicas, selector, template: podTemplate(key.name, image) }
          await client.apply(StatefulSet, { metadata: childOf(app), spec })
          await client.status.apply(App, key, { phase: 'Ready', ready: replicas })
        }),
    ),
}
