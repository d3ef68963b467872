import { controller, createOrUpdate, setControllerReference } from 'homeostat'
import { Job, Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/**
 * Starts the Job that creates the users only in the reconcile that created the Secret, by the result of
 * `createOrUpdate`. A crash between the two leaves a database without users.
 */
export const seedsOnCreation: CorpusOperator = {
  title: 'starts the first Job only in the reconcile that created the Secret',
  classes: ['crash', 'failed-request', 'not-healed'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(Secret)
        .owns(Job)
        .writes(Secret, 'createOrUpdate')
        .writes(Job, 'create')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const { result } = await createOrUpdate(
            client,
            Secret,
            { ...key, name: `${key.name}-dsn` },
            (secret) => {
              setControllerReference(database, secret)
              secret.data = { dsn: btoa(`db://${key.name}`) }
            },
          )
          if (result !== 'created') return
          const containers = [{ name: 'main', image: 'seed' }]
          const template = { spec: { restartPolicy: 'Never' as const, containers } }
          await client.create(Job, { metadata: childOf(database, '-seed'), spec: { template } })
        }),
    ),
}
