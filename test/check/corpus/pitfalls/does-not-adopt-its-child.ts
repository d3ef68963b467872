import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** kopf style: a child without `kopf.adopt`, so that nothing deletes it with its App. */
export const doesNotAdopt: CorpusOperator = {
  title: 'does not give its Deployment an owner',
  classes: ['left-behind'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .watches(Deployment, ({ metadata: { namespace, name } }) => ({ namespace, name }))
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { metadata, spec } = deploymentOf(app)
          const { ownerReferences: _, ...rest } = metadata
          await client.apply(Deployment, { metadata: rest, spec })
        }),
    ),
}
