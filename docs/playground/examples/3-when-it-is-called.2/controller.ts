import { controller, defineKind, schema as s } from 'homeostat'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
})

// Edit a Greeting several times while its reconcile runs: one further reconcile follows.
// The queue on the right shows the Greeting that waits for the other one.
export const slow = controller('slow')
  .for(Greeting)
  .reconcile(async (_, { clock, signal }) => {
    await clock.sleep(15_000, { signal })
  })
