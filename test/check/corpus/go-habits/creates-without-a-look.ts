import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** `return ctrl.Result{}, r.Create(ctx, cm)`: AlreadyExists fails each further reconcile. */
export const createsBlindly: CorpusOperator = {
  title: 'creates its child at each call and fails when it exists',
  classes: ['always-fails'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'create')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          await client.create(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
        }),
    ),
}
