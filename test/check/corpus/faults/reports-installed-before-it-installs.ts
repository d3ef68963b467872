import { controller } from 'homeostat'
import { Deployment, Service } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf, serviceOf } from '../kinds.ts'

/**
 * A state machine in the status: it moves to `Installed` first, and makes the Service afterwards. After a crash in
 * between, the phase says that there is nothing to do, as state machines of early operator-sdk days often did.
 */
export const reportsFirst: CorpusOperator = {
  title: 'moves to the next phase before the work of the phase is done',
  classes: ['crash', 'failed-request'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .writes(Service, 'create')
        .writes(App, 'status.patch')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          await client.apply(Deployment, deploymentOf(app))
          if (app.status?.phase === 'Installed') return
          await client.status.patch(App, key, { type: 'merge', body: { status: { phase: 'Installed' } } })
          await client.create(Service, serviceOf(app, 80))
        }),
    ),
}
