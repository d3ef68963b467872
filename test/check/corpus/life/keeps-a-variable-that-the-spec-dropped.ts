import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Writes variables by a merge patch, which adds and changes keys but never removes one, as Acto saw with labels and settings. */
export const keepsVariable: CorpusOperator = {
  title: 'writes variables by a merge patch that never removes one',
  classes: ['history'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'create', 'patch', 'delete')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const wanted = { metadata: childOf(app), data: { ...app.spec.env, IMAGE: app.spec.image } }
          const found = await client.live.get(ConfigMap, key)
          const isSame = Object.entries(wanted.data).every(([name, value]) => found?.data?.[name] === value)
          const hasLabel = found?.metadata.labels?.['corpus.example.com/owner'] === key.name
          const { ownerReferences = [] } = found?.metadata ?? {}
          if (!found) await client.create(ConfigMap, wanted)
          else if (ownerReferences.some(({ uid }) => uid !== app.metadata.uid)) throw new Error('not ours')
          else if (!isSame || !hasLabel || ownerReferences.length === 0) {
            await client.patch(ConfigMap, key, { type: 'merge', body: wanted })
          }
        }),
    ),
}
