import { controller } from 'homeostat'
import { ConfigMap, Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** Reads the Secret that the spec names and declares no right to Secrets. On a cluster every reconcile ends in a 403. */
export const readsWithoutRight: CorpusOperator = {
  title: 'reads the Secret of the spec without the right to',
  classes: ['right-not-declared', 'always-fails'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const { namespace } = key
          const secret = await client.live.get(Secret, { namespace, name: database.spec.passwordSecret })
          const data = { hasPassword: String(secret?.data?.['password'] !== undefined) }
          await client.apply(ConfigMap, { metadata: childOf(database), data })
        }),
    ),
}
