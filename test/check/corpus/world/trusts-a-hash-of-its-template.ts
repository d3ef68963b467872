import { createHash } from 'node:crypto'
import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

const HASH = 'corpus.example.com/hash'

/**
 * Updates its Deployment only when the hash of the wanted one differs from the hash in an annotation. An edit of the
 * Deployment leaves the annotation as it was, and stays, as in many operators that compare hashes.
 */
export const trustsHash: CorpusOperator = {
  title: 'compares a hash in an annotation, so that edits stay',
  classes: ['not-healed'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const wanted = deploymentOf(app)
          const hash = createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 12)
          const found = await client.live.get(Deployment, key)
          if (found?.metadata.annotations?.[HASH] === hash) return
          await client.apply(Deployment, {
            ...wanted,
            metadata: { ...wanted.metadata, annotations: { [HASH]: hash } },
          })
        }),
    ),
}
