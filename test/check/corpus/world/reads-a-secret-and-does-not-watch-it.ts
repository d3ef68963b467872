import { controller } from 'homeostat'
import { Deployment, Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator, podTemplate } from '../kinds.ts'

/**
 * Puts the version of the Secret that the spec names into its Deployment and does not watch Secrets. A rotated
 * password arrives hours later, as users of clickhouse-operator and rook reported.
 */
export const doesNotWatchSecret: CorpusOperator = {
  title: 'reads the Secret of the spec and does not watch it',
  classes: ['reference'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(Deployment)
        .reads(Secret)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const { passwordSecret, version } = database.spec
          const secret = await client.live.get(Secret, { namespace: key.namespace, name: passwordSecret })
          const annotations = { 'corpus.example.com/password': secret?.data?.['password'] ?? 'none' }
          const template = podTemplate(key.name, `db:${version}`)
          const spec = {
            selector: { matchLabels: { app: key.name } },
            template: { ...template, metadata: { ...template.metadata, annotations } },
          }
          await client.apply(Deployment, { metadata: childOf(database), spec })
        }),
    ),
}
