import { controller, controllerReference, defineKind, schema as s } from 'homeostat'
import { Deployment } from 'homeostat/kinds'

export const Website = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Website',
  spec: s.object({ image: s.string(), replicas: s.integer().min(0).default(2) }),
})

// Edit spec.replicas of the Deployment on the right: the apply takes it back.
// Add a label to it: no apply sets that field, so it stays yours.
export const website = controller('website')
  .for(Website)
  .owns(Deployment)
  .writes(Deployment, 'apply')
  .reconcile(async (request, { client }) => {
    const site = await client.get(Website, request)
    if (!site) return
    const labels = { website: request.name }
    await client.apply(Deployment, {
      metadata: { ...request, ownerReferences: [controllerReference(site)] },
      spec: {
        replicas: site.spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'web', image: site.spec.image }] },
        },
      },
    })
  })
