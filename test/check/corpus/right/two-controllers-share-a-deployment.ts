import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** Two controllers apply fields of one Deployment, each its own ones: the second adds an annotation. They do not fight. */
export const shareDeployment: CorpusOperator = {
  title: 'has two controllers that apply different fields of one Deployment',
  classes: [],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (app) await client.apply(Deployment, deploymentOf(app))
        }),
      controller('annotator')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'patch')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          const found = await client.get(Deployment, key)
          const port = String(app?.spec.port ?? 80)
          const owner = found?.metadata.ownerReferences?.find((one) => one.controller)?.uid
          if (!app || !found || owner !== app.metadata.uid) return
          if (found.metadata.annotations?.['corpus.example.com/port'] === port) return
          const metadata = { uid: found.metadata.uid, annotations: { 'corpus.example.com/port': port } }
          await client.patch(Deployment, key, { type: 'merge', body: { metadata } })
        }),
    ),
}
