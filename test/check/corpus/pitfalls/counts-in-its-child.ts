import { controller, createOrUpdate, setControllerReference } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator } from '../kinds.ts'

/** Go style: the mutate function of `CreateOrUpdate` depends on the previous value, so each call writes something else. */
export const countsInChild: CorpusOperator = {
  title: 'counts its calls in the mutate function of createOrUpdate',
  classes: ['endless-loop', 'writes-at-rest'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'createOrUpdate')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          await createOrUpdate(client, ConfigMap, key, (child) => {
            setControllerReference(app, child)
            child.data = { image: app.spec.image, count: `${Number(child.data?.['count'] ?? 0) + 1}` }
          })
        }),
    ),
}
