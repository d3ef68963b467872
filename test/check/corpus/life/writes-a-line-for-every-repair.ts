import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/**
 * Keeps a log of its repairs in an annotation of the child, which gets longer with each one until the server refuses it. Real
 * operators kept such histories in the status, until objects were too large for etcd.
 */
export const logsRepairs: CorpusOperator = {
  title: 'adds a line to an annotation at every repair',
  classes: ['not-healed', 'endless-loop', 'writes-at-rest'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'create', 'patch')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const found = await client.live.get(ConfigMap, key)
          const data = { image: app.spec.image }
          if (found?.data?.['image'] === data.image) return
          const log = found?.metadata.annotations?.['corpus.example.com/log'] ?? ''
          const annotations = { 'corpus.example.com/log': found ? `${log}repaired;` : log }
          if (!found) await client.create(ConfigMap, { metadata: { ...childOf(app), annotations }, data })
          else
            await client.patch(ConfigMap, key, { type: 'merge', body: { metadata: { annotations }, data } })
        }),
    ),
}
