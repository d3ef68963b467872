import { controller } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/**
 * Takes every error of a read for "not found" and makes a new password over the old one, as `if err != nil` in place of
 * `IsNotFound(err)` does in Go. One failed read locks all clients out.
 */
export const takesErrorForAbsence: CorpusOperator = {
  title: 'takes any error of a read for absence and makes a new password',
  classes: ['failed-request', 'crash'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(Secret)
        .reads(Secret)
        .writes(Secret, 'apply')
        .reconcile(async (key, { client, clock }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const metadata = childOf(database, '-admin')
          const found = await client.live.get(Secret, metadata).catch(() => undefined)
          const password = found?.data?.['password'] ?? btoa(clock.random().toString(36))
          await client.apply(Secret, { metadata, data: { password } })
        }),
    ),
}
