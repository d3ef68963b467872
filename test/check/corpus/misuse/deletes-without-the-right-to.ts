import { controller } from 'homeostat'
import { Service } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, serviceOf } from '../kinds.ts'

/**
 * Deletes its Service when the spec has no port any more, and never declared that it may. The first user who
 * removes the port meets a 403, as users of operators with hand-written roles often do.
 */
export const deletesWithoutRight: CorpusOperator = {
  title: 'deletes a Service without the right to, when the port is removed',
  classes: ['right-not-declared'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Service)
        .writes(Service, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app || app.metadata.deletionTimestamp) return
          if (app.spec.port !== undefined) await client.apply(Service, serviceOf(app, app.spec.port))
          else if (await client.get(Service, key)) await client.delete(Service, key)
        }),
    ),
}
