import { controller, TerminalError } from 'homeostat'
import { ConfigMap, Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** Takes a missing Secret for a permanent error, and does not watch Secrets: installed in the wrong order, it stays broken. */
export const refusesLateSecret: CorpusOperator = {
  title: 'takes a Secret that is not there yet for a permanent error',
  classes: ['reference', 'always-fails', 'history'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .reads(Secret)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const name = database.spec.passwordSecret
          if (!(await client.live.get(Secret, { namespace: key.namespace, name }))) {
            throw new TerminalError(`there is no Secret ${name}`)
          }
          await client.apply(ConfigMap, { metadata: childOf(database), data: { secret: name } })
        }),
    ),
}
