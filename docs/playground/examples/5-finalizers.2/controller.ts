import { controller, defineKind, FinalizerRegistry, schema as s } from 'homeostat'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
})

/** The posters at the printing house, which is outside of the cluster. */
const posters = new Set<string>()
// Set it to true and delete a Greeting on the right: its finalizer stays, and the function is called again with back-off.
const outage = false

const finalizers = new FinalizerRegistry(Greeting).register('guide.example.com/poster', (greeting) => {
  if (outage) throw new Error('the printing house does not answer')
  posters.delete(greeting.metadata.name)
})

export const greeting = controller('greeting')
  .for(Greeting)
  .uses(finalizers)
  .reconcile(async (request, context) => {
    const { client } = context
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    const { deleting } = await finalizers.finalize(client, greeting, context)
    if (!deleting) posters.add(greeting.metadata.name)
  })
