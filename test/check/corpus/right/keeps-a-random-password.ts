import { controller } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** Makes a random password where there is none, by a create that the server refuses the second time, and keeps it. */
export const keepsPassword: CorpusOperator = {
  title: 'makes a random password once and keeps it',
  classes: [],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(Secret)
        .writes(Secret, 'apply')
        .reconcile(async (key, { client, clock }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const metadata = childOf(database, '-admin')
          const found = await client.live.get(Secret, metadata)
          const password = found?.data?.['password'] ?? btoa(clock.random().toString(36))
          await client.apply(Secret, { metadata, data: { password } })
        }),
    ),
}
