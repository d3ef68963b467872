import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/** Asks a registry for the digest of an image in the middle of a reconcile, as image-updating operators do. */
export const fetchesDigest: CorpusOperator = {
  title: 'asks a server on the network in the middle of a reconcile',
  classes: ['machine-clock'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const digest = await fetch('http://127.0.0.1:9/digest').then(
            (answer) => answer.text(),
            () => 'unknown',
          )
          const { metadata, spec } = deploymentOf(app)
          const annotations = { 'corpus.example.com/digest': digest }
          await client.apply(Deployment, { metadata: { ...metadata, annotations }, spec })
        }),
    ),
}
