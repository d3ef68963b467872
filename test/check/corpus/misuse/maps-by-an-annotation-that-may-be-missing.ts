import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/**
 * Maps every ConfigMap to an App by an annotation in JSON, and does not expect ConfigMaps of others, which have no
 * such annotation: in Go a nil map and an error that the mapping cannot return.
 */
export const mapsByAnnotation: CorpusOperator = {
  title: 'maps ConfigMaps by an annotation that most of them do not have',
  classes: ['callback-throws'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .watches(ConfigMap, ({ metadata }) => {
          const { name } = JSON.parse(String(metadata.annotations?.['corpus.example.com/app'])) as {
            name: string
          }
          return { namespace: metadata.namespace, name }
        })
        .writes(ConfigMap, 'apply')
        .writes(App, 'finalizers.update')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const annotations = { 'corpus.example.com/app': JSON.stringify({ name: key.name }) }
          const metadata = { ...childOf(app), annotations }
          await client.apply(ConfigMap, { metadata, data: { image: app.spec.image } })
        }),
    ),
}
