import { controller } from 'homeostat'
import { ConfigMap, Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** Removes its child while the Secret that it names is missing, and makes it again when the Secret is there. */
export const followsSecret: CorpusOperator = {
  title: 'writes that a Secret is missing, and follows the Secret when it comes',
  classes: [],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .indexes(Database, { secret: ({ spec }) => spec.passwordSecret })
        .watches(Secret, async ({ metadata: { namespace, name } }, { client }) => {
          const all = await client.list(Database, { namespace, fields: { secret: name } })
          return all.map(({ metadata }) => ({ namespace, name: metadata.name }))
        })
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const name = database.spec.passwordSecret
          const secret = await client.get(Secret, { namespace: key.namespace, name })
          const data = { password: secret?.data?.['password'] ?? 'missing' }
          await client.apply(ConfigMap, { metadata: childOf(database), data })
        }),
    ),
}
