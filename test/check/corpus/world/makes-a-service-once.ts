import { controller } from 'homeostat'
import { Service } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, serviceOf } from '../kinds.ts'

/** A create handler in kopf's style: it makes the Service if there is none and never looks at what is in it. */
export const makesOnce: CorpusOperator = {
  title: 'makes its Service once and never looks at it again',
  classes: ['not-healed', 'history'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Service)
        .writes(Service, 'create')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app || (await client.live.get(Service, key))) return
          await client.create(Service, serviceOf(app, app.spec.port ?? 80))
        }),
    ),
}
