import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** `return {'handled-at': now}` from a handler: kopf writes it into the status, and the status changes with each call. */
export const returnsTime: CorpusOperator = {
  title: 'returns the time of its call into the status',
  classes: ['endless-loop', 'writes-at-rest'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client, clock }) => {
          const app = await client.get(App, key)
          if (!app) return
          await client.apply(Deployment, deploymentOf(app))
          await client.status.apply(App, key, { note: `handled at ${clock.now()}` })
        }),
    ),
}
