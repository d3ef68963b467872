import { createHash } from 'node:crypto'
import { controller } from 'homeostat'
import { ConfigMap, Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf, deploymentOf } from '../kinds.ts'

/** Puts a hash of the settings into the template so that a change restarts the Pods. The keys are sorted, so the hash is stable. */
export const hashesSettings: CorpusOperator = {
  title: 'rolls out by a hash of its sorted settings',
  classes: [],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .owns(Deployment)
        .writes(ConfigMap, 'apply')
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const lines = Object.entries(app.spec.env ?? {}).map(([name, value]) => `${name}=${value}`)
          const text = lines.toSorted().join('\n')
          const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
          await client.apply(ConfigMap, { metadata: childOf(app, '-env'), data: { text } })
          const { metadata, spec } = deploymentOf(app)
          const annotations = { 'corpus.example.com/settings': hash }
          const template = { ...spec.template, metadata: { ...spec.template.metadata, annotations } }
          await client.apply(Deployment, { metadata, spec: { ...spec, template } })
        }),
    ),
}
