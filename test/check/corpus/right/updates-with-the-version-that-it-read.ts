import { controller, createOrUpdate, setControllerReference } from 'homeostat'
import { Service } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator } from '../kinds.ts'

/** Writes the whole object back by an update, in a Go style, and keeps what others set: the version makes it safe. */
export const updatesSafely: CorpusOperator = {
  title: 'updates whole objects with the version that it read',
  classes: [],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Service)
        .writes(Service, 'createOrUpdate')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          await createOrUpdate(client, Service, key, (service) => {
            setControllerReference(app, service)
            service.metadata.annotations = { ...service.metadata.annotations, team: 'web' }
            service.spec = {
              ...service.spec,
              selector: { app: key.name },
              ports: [{ port: app.spec.port ?? 80 }],
            }
          })
        }),
    ),
}
