import { controller, controllerReference, defineKind, schema as s } from 'homeostat'
import { Deployment } from 'homeostat/kinds'

export const Website = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Website',
  spec: s.object({ image: s.string() }),
})

// The apply leaves out replicas. Scale the Deployment on the right, as an autoscaler does: the number stays.
export const elastic = controller('elastic')
  .for(Website)
  .owns(Deployment)
  .writes(Deployment, 'apply')
  .reconcile(async (request, { client }) => {
    const site = await client.get(Website, request)
    if (!site) return
    const labels = { website: request.name }
    const ownerReferences = [controllerReference(site)]
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: site.spec.image }] },
    }
    const rest = { selector: { matchLabels: labels }, template }
    await client.apply(Deployment, { metadata: { ...request, ownerReferences }, spec: rest })
  })
