import { controller } from 'homeostat'
import { Deployment, Service } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf, serviceOf } from '../kinds.ts'

/**
 * Reads the address of the Service to put it into the Deployment, and makes the Service afterwards: a cycle that the
 * first install never gets out of, as an operator for message queues once shipped.
 */
export const asksBeforeMaking: CorpusOperator = {
  title: 'needs the Service that it makes at the end',
  classes: ['always-fails'],
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
          const { spec } = await client.getOrThrow(Service, key)
          const { metadata, ...rest } = deploymentOf(app)
          const annotations = { 'corpus.example.com/address': spec?.clusterIP ?? '' }
          await client.apply(Deployment, { ...rest, metadata: { ...metadata, annotations } })
          await client.apply(Service, serviceOf(app, app.spec.port ?? 80))
        }),
    ),
}
