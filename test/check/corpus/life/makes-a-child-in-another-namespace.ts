import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator } from '../kinds.ts'

/**
 * Registers each App in a ConfigMap of another namespace, where no owner reference can lead, and has no finalizer: the
 * entry stays after the App is deleted, as with operators for monitoring.
 */
export const registersElsewhere: CorpusOperator = {
  title: 'makes an object in another namespace and never deletes it',
  classes: ['left-behind'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .watches(ConfigMap, ({ metadata: { name } }) => {
          const [, namespace, app] = /^app-([^.]+)\.(.+)$/.exec(name) ?? []
          return namespace && app ? { namespace, name: app } : []
        })
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app || app.metadata.deletionTimestamp) return
          const metadata = { namespace: 'kube-system', name: `app-${key.namespace}.${key.name}` }
          await client.apply(ConfigMap, { metadata, data: { image: app.spec.image } })
        }),
    ),
}
