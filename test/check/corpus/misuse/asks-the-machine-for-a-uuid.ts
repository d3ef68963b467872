import { randomUUID } from 'node:crypto'
import { controller } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** Takes the cookie of a cluster from the randomness of the machine, so that no test can repeat a run. */
export const asksForUuid: CorpusOperator = {
  title: 'takes a cookie from the randomness of the machine',
  classes: ['machine-clock'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(Secret)
        .writes(Secret, 'create')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const metadata = childOf(database, '-cookie')
          if (await client.live.get(Secret, metadata)) return
          await client.create(Secret, { metadata, data: { cookie: btoa(randomUUID()) } })
        }),
    ),
}
