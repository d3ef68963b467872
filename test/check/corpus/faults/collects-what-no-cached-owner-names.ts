import { controller } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator } from '../kinds.ts'

const OF = 'corpus.example.com/of'

/**
 * Its own garbage collection: a Secret whose App the cache does not have is deleted. A cache that is behind has no
 * new Apps yet, as in operators that cleaned up from a list of the informer.
 */
export const collectsByCache: CorpusOperator = {
  title: 'deletes Secrets whose App is not in the cache',
  classes: ['stale-cache', 'crash', 'combination'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .watches(Secret, ({ metadata }) => {
          const name = metadata.labels?.[OF]
          return name ? { namespace: metadata.namespace, name } : []
        })
        .writes(Secret, 'create', 'delete')
        .reconcile(async (key, { client, clock }) => {
          const app = await client.get(App, key)
          const name = `${key.name}-token`
          const found = await client.live.get(Secret, { ...key, name })
          if (!app && found?.metadata.labels?.[OF] === key.name) await client.delete(Secret, { ...key, name })
          if (!app || found) return
          const data = { token: btoa(String(clock.random())) }
          await client.create(Secret, { metadata: { ...key, name, labels: { [OF]: key.name } }, data })
        }),
    ),
}
