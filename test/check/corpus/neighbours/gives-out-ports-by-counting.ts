import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Gives each App a port by its place in the list of all Apps. A new App moves the ports of those behind it. */
export const portsByPlace: CorpusOperator = {
  title: 'gives out ports by the place in the list of all objects',
  classes: ['not-isolated'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .watches(App, async (_, { client }) => {
          const apps = await client.list(App)
          return apps.map(({ metadata: { namespace, name } }) => ({ namespace, name }))
        })
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const names = (await client.list(App)).map(
            ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
          )
          const place = names.toSorted().reverse().indexOf(`${key.namespace}/${key.name}`)
          await client.apply(ConfigMap, { metadata: childOf(app), data: { port: String(30_000 + place) } })
        }),
    ),
}
