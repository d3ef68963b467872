import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** Catches every error of its write, and asks to be called again: nothing is lost, although the reconcile counts as done. */
export const swallowsAndAsks: CorpusOperator = {
  title: 'catches the error of a write and asks to be called again',
  classes: [],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client, log }) => {
          const app = await client.get(App, key)
          if (!app) return undefined
          try {
            await client.apply(Deployment, deploymentOf(app))
          } catch (error) {
            log.error({ error }, 'the Deployment was not written')
            return { requeueAfter: '10s' }
          }
          return undefined
        }),
    ),
}
