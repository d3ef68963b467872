import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** Says `Ready` as soon as the Deployment exists at the server, whatever its Pods do, as early MongoDB operators did. */
export const readyByExistence: CorpusOperator = {
  title: 'says ready as soon as the Deployment exists',
  classes: ['status-untrue'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client, clock }) => {
          const app = await client.get(App, key)
          if (!app) return
          const found = await client.apply(Deployment, deploymentOf(app))
          const status = found.metadata.uid ? ('True' as const) : ('False' as const)
          const before = app.status?.conditions?.find(({ type }) => type === 'Ready')
          const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
          const lastTransitionTime = before?.lastTransitionTime ?? now
          const condition = { type: 'Ready', status, reason: 'Exists', message: '', lastTransitionTime }
          await client.status.apply(App, key, { conditions: [condition] })
        }),
    ),
}
