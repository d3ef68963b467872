import { controller, controllerReference, defineKind, predicates, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
  status: s.object({ text: s.string().optional() }),
})

// Select a bar of the timeline: it shows the cause of the reconcile.
// Remove the predicate, and the controller's own status starts a reconcile too.
export const greeting = controller('greeting')
  .for(Greeting, { predicate: predicates.generationChanged })
  .owns(ConfigMap)
  .writes(ConfigMap, 'apply')
  .writes(Greeting, 'status.apply')
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    const text = `Hello, ${greeting.spec.name}!`
    await client.apply(ConfigMap, {
      metadata: { ...request, ownerReferences: [controllerReference(greeting)] },
      data: { text },
    })
    await client.status.apply(Greeting, request, { text })
  })
