import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/**
 * Waits for a promise that the reconcile after its own write would resolve. Two reconciles of one object never run
 * at once, so it waits for itself: a port of a callback style in which each event had its own task.
 */
export const waitsForItself: CorpusOperator = {
  title: 'waits for a signal that only its own next reconcile gives',
  classes: ['never-ends'],
  operator: () => {
    const waiting = new Map<string, () => void>()
    return appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'create')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          if (await client.get(ConfigMap, key)) {
            waiting.get(key.name)?.()
            return
          }
          const { promise, resolve } = Promise.withResolvers<void>()
          waiting.set(key.name, resolve)
          await client.create(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
          await promise
        }),
    )
  },
}
