import { controller, TerminalError } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** Makes every error a permanent one, as a kopf handler does with `PermanentError` around its body. */
export const givesUp: CorpusOperator = {
  title: 'takes every error for a permanent one',
  classes: ['failed-request'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          try {
            await client.apply(Deployment, deploymentOf(app))
          } catch (error) {
            throw new TerminalError(`the Deployment of ${key.name} cannot be applied: ${String(error)}`)
          }
        }),
    ),
}
