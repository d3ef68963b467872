import { controller, defineKind, predicates, schema as s } from 'homeostat'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
  status: s.object({ text: s.string().optional() }),
})

// The predicate drops the event of the controller's own write to the status.
// Remove it, and a second reconcile follows each change, which changes nothing.
export const quiet = controller('quiet')
  .for(Greeting, { predicate: predicates.generationChanged })
  .writes(Greeting, 'status.apply')
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (greeting) await client.status.apply(Greeting, request, { text: `Hello, ${greeting.spec.name}!` })
  })
