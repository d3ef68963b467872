import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/**
 * Every App adds its name to one list in a shared ConfigMap: it reads the list, waits for another request, and writes
 * the list back by a patch without the version that it read. With two workers one name gets lost.
 */
export const sharedList: CorpusOperator = {
  title: 'adds itself to a shared list that it read before another request',
  classes: ['interleaving', 'not-isolated', 'left-behind'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .options({ maxConcurrentReconciles: 2 })
        .reads(ConfigMap)
        .writes(ConfigMap, 'apply', 'create', 'patch')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const shared = { namespace: key.namespace, name: 'all-apps' }
          const found = await client.live.get(ConfigMap, shared)
          const names = new Set(found?.data?.['names']?.split(',') ?? [])
          await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
          if (names.has(key.name)) return
          const data = { names: [...names, key.name].toSorted().join(',') }
          if (!found) await client.create(ConfigMap, { metadata: shared, data })
          else await client.patch(ConfigMap, shared, { type: 'merge', body: { data } })
        }),
    ),
}
