import { controller } from 'homeostat'
import { Deployment, Service } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf, serviceOf } from '../kinds.ts'

/** Makes a Service for an App with a port and has no branch for an App whose port was removed. */
export const leavesService: CorpusOperator = {
  title: 'leaves the Service when the port is removed from the spec',
  classes: ['history'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .owns(Service)
        .writes(Deployment, 'apply')
        .writes(Service, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          await client.apply(Deployment, deploymentOf(app))
          if (app.spec.port !== undefined) await client.apply(Service, serviceOf(app, app.spec.port))
        }),
    ),
}
