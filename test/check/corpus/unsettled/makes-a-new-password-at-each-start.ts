import { controller } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/**
 * A kopf-style handler for create and resume that makes the password each time. Every restart of the operator
 * rotates it under the clients, as an operator for Kerberos keys once did.
 */
export const rotatesAtStart: CorpusOperator = {
  title: 'makes a new password whenever it starts',
  classes: ['writes-at-rest', 'crash', 'endless-loop'],
  operator: () => {
    const handled = new Set<string>()
    return databaseOperator(
      controller('databases')
        .for(Database)
        .owns(Secret)
        .writes(Secret, 'apply')
        .reconcile(async (key, { client, clock }) => {
          const database = await client.get(Database, key)
          if (!database || handled.has(database.metadata.uid)) return
          const password = clock.random().toString(36).slice(2)
          await client.apply(Secret, {
            metadata: childOf(database, '-admin'),
            data: { password: btoa(password) },
          })
          handled.add(database.metadata.uid)
        }),
    )
  },
}
