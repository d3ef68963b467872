import { controller } from 'homeostat'
import { App, appOperator } from '../kinds.ts'
import type { CorpusOperator } from '../corpus-operator.ts'

/**
 * Writes into the status when it last looked. Each write is an event that makes it look again. The operators that
 * kept a `lastReconciled` field, as several database operators once did, kept their API servers busy with it.
 */
export const stampsTheTime: CorpusOperator = {
  title: 'stamps the time of each look into the status',
  classes: ['endless-loop', 'writes-at-rest'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .writes(App, 'status.patch')
        .reconcile(async (key, { client, clock }) => {
          if (!(await client.get(App, key))) return
          const note = `looked at ${new Date(clock.now()).toISOString()}`
          await client.status.patch(App, key, { type: 'merge', body: { status: { note } } })
        }),
    ),
}
