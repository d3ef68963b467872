import { controller } from 'homeostat'
import { ConfigMap, Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** Watches Secrets and maps each to the Database of the same name, not to those that name it in their specs. */
export const mapsByOwnName: CorpusOperator = {
  title: 'maps a Secret to the object of its name, not to those that name it',
  classes: ['reference'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .watches(Secret, ({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const name = database.spec.passwordSecret
          const secret = await client.get(Secret, { namespace: key.namespace, name })
          const data = { password: secret?.data?.['password'] ?? '' }
          await client.apply(ConfigMap, { metadata: childOf(database), data })
        }),
    ),
}
