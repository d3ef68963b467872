import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/**
 * Writes the start of the operator's process into the template, meant as "restart when the operator is upgraded".
 * Every new process restarts all Pods, as operators with an annotation `restartedAt` once did.
 */
export const restartsPods: CorpusOperator = {
  title: 'restarts all Pods whenever the process of the operator starts',
  classes: ['writes-at-rest'],
  operator: () => {
    let startedAt: number | undefined
    return appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client, clock }) => {
          startedAt ??= clock.now()
          const app = await client.get(App, key)
          if (!app) return
          const { metadata, spec } = deploymentOf(app)
          const annotations = { 'corpus.example.com/started': String(startedAt) }
          const template = { ...spec.template, metadata: { ...spec.template.metadata, annotations } }
          await client.apply(Deployment, { metadata, spec: { ...spec, template } })
        }),
    )
  },
}
