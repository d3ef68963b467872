import { controller, controllerReference, defineKind, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
})

// Choose a reconcile on the right: why it ran, what it read, wrote and logged, and the line of an error.
export const greeting = controller('greeting')
  .for(Greeting)
  .owns(ConfigMap)
  .writes(ConfigMap, 'apply')
  .reconcile(async (request, { client, log }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    const { name } = greeting.spec
    // It is tried again, later each time. Give the Greeting a name, and it heals.
    if (name === '') throw new Error('a Greeting needs a name')
    await client.apply(ConfigMap, {
      metadata: { ...request, ownerReferences: [controllerReference(greeting)] },
      data: { text: `Hello, ${name}!` },
    })
    log.info({ to: name }, 'greeted')
  })
