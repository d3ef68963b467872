import { controller } from 'homeostat'
import { Service } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, serviceOf } from '../kinds.ts'

/**
 * Remembers in memory for which generation it wrote the Service, before the write. When the write fails, the repeated
 * reconcile finds the note and does nothing.
 */
export const notesTooEarly: CorpusOperator = {
  title: 'notes in memory that a write is done before it sends it',
  classes: ['failed-request', 'not-healed'],
  operator: () => {
    const written = new Map<string, number>()
    return appOperator(
      controller('apps')
        .for(App)
        .owns(Service)
        .writes(Service, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { uid, generation = 0 } = app.metadata
          if (written.get(uid) === generation) return
          written.set(uid, generation)
          await client.apply(Service, serviceOf(app, app.spec.port ?? 80))
        }),
    )
  },
}
