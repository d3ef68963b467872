import { controller, controllerReference, defineKind, isAlreadyExists, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
})

// This operator has a fault: press Check to find it.
export const greeting = controller('greeting')
  .for(Greeting)
  .owns(ConfigMap)
  .writes(ConfigMap, 'create')
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    try {
      await client.create(ConfigMap, {
        metadata: { ...request, ownerReferences: [controllerReference(greeting)] },
        data: { text: `Hello, ${greeting.spec.name}!` },
      })
    } catch (error) {
      // It exists already, so nothing is left to do. Or is there?
      if (!isAlreadyExists(error)) throw error
    }
  })
