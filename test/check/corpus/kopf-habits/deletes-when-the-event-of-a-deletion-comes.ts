import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator } from '../kinds.ts'

/** `@kopf.on.delete(optional=True)`: cleans up when it is called for the deletion, which does not happen while it is down. */
export const deletesOnEvent: CorpusOperator = {
  title: 'deletes its child when it hears that the object is gone',
  classes: ['left-behind', 'downtime', 'crash', 'recreation'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .watches(ConfigMap, ({ metadata: { namespace, name } }) => ({ namespace, name }))
        .writes(ConfigMap, 'apply', 'delete')
        .reconcile(async (key, { client, causes }) => {
          const app = await client.get(App, key)
          if (app) {
            await client.apply(ConfigMap, { metadata: key, data: { image: app.spec.image } })
          } else if (causes.some(({ type }) => type === 'deleted')) {
            await client.delete(ConfigMap, key)
          }
        }),
    ),
}
