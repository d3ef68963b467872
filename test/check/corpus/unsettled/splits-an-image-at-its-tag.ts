import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/**
 * Takes the version out of the image by its colon. The schema allows an image without a tag, and the reconcile then
 * throws a TypeError, as cass-operator and others once did for versions that they could not parse.
 */
export const splitsImage: CorpusOperator = {
  title: 'fails for an image without a tag, which the schema allows',
  classes: ['always-fails'],
  operator: () => {
    const versionOf = (image: string): string => (image.split(':')[1] as string).toLowerCase()
    return appOperator(
      controller('apps')
        .for(App)
        .owns(Deployment)
        .writes(Deployment, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { metadata, spec } = deploymentOf(app)
          const labels = { ...metadata.labels, version: versionOf(app.spec.image) }
          await client.apply(Deployment, { metadata: { ...metadata, labels }, spec })
        }),
    )
  },
}
