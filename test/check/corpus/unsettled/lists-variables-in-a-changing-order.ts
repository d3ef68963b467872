import { controller } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, deploymentOf } from '../kinds.ts'

/**
 * Puts variables into the template in the order that a map in Go gives, which differs from loop to loop. Each
 * order is a new revision and restarts the Pods, as trustee-operator once did.
 */
export const ordersByChance: CorpusOperator = {
  title: 'lists environment variables in an order that changes',
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
          const values = { ...app.spec.env, APP: key.name, TIER: 'web', ZONE: 'a' }
          const env = Object.entries(values).map(([name, value]) => ({ name, value, at: clock.random() }))
          env.sort((one, other) => one.at - other.at)
          const { metadata, spec } = deploymentOf(app)
          const args = env.map(({ name, value }) => `--${name}=${value}`)
          const containers = [{ name: 'main', image: app.spec.image, args }]
          const template = { metadata: spec.template.metadata, spec: { containers } }
          await client.apply(Deployment, { metadata, spec: { ...spec, template } })
        }),
    ),
}
