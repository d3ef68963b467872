import { isDeepStrictEqual } from 'node:util'
import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/**
 * Compares its Deployment with what the server stored, defaults included, and finds a difference every time, as
 * nexus-operator and many operators in Go once did.
 */
export const comparesWithDefaults: CorpusOperator = {
  title: 'compares its Deployment with the one that the server filled in',
  classes: ['writes-at-rest', 'endless-loop'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'create', 'update')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const wanted = deploymentOf(app)
          const found = await client.get(Deployment, key)
          if (!found) await client.create(Deployment, wanted)
          else if (!isDeepStrictEqual(found.spec, wanted.spec)) {
            await client.update(Deployment, { ...found, spec: wanted.spec })
          }
        }),
    ),
}
