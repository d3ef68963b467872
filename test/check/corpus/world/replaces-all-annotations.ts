import { isDeepStrictEqual } from 'node:util'
import { controller } from 'homeostat'
import { Service } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, serviceOf } from '../kinds.ts'

/**
 * Sets all annotations of its Service at once. What a cloud's load balancer or a person noted there is lost at the
 * next reconcile, as users of ingress and redis operators reported.
 */
export const replacesAnnotations: CorpusOperator = {
  title: 'replaces all annotations of its Service',
  classes: ['foreign-field-lost'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Service)
        .writes(Service, 'apply', 'update')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const found = await client.apply(Service, serviceOf(app, app.spec.port ?? 80))
          const annotations = { team: 'web' }
          if (isDeepStrictEqual({ ...found.metadata.annotations }, annotations)) return
          await client.update(Service, { ...found, metadata: { ...found.metadata, annotations } })
        }),
    ),
}
