import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** `annotations["restartedAt"] = time.Now().Format(...)` in the template: each reconcile rolls all Pods. */
export const stampsTemplate: CorpusOperator = {
  title: 'puts the time of the reconcile into the template of its Pods',
  classes: ['endless-loop', 'writes-at-rest'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client, clock }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { metadata, spec } = deploymentOf(app)
          const annotations = { 'corpus.example.com/restarted-at': String(clock.now()) }
          const template = { ...spec.template, metadata: { ...spec.template.metadata, annotations } }
          await client.apply(Deployment, { metadata, spec: { ...spec, template } })
        }),
    ),
}
