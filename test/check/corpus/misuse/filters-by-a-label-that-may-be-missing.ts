import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** A predicate that reads a label of each Deployment, also of those that another client has taken the labels from. */
export const filtersByLabel: CorpusOperator = {
  title: 'filters events by a label that a Deployment need not have',
  classes: ['callback-throws'],
  operator: () => {
    const ownerIn = (labels: unknown): string =>
      (labels as Record<string, string>)['corpus.example.com/owner'] as string
    return appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment, { predicate: (event) => ownerIn(event.object.metadata.labels).length > 0 })
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (app) await client.apply(Deployment, deploymentOf(app))
        }),
    )
  },
}
