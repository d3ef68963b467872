import { controller, defineKind, schema as s } from 'homeostat'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
  status: s.object({ text: s.string().optional() }),
})

// Printing takes five seconds. Two Greetings are printed at a time, the others wait in the queue.
export const printer = controller('printer')
  .for(Greeting)
  .writes(Greeting, 'status.apply')
  .options({ maxConcurrentReconciles: 2 })
  .reconcile(async (request, { client, clock, signal }) => {
    const greeting = await client.get(Greeting, request)
    // A process that is stopped in between loses nothing: the next one finds what is not printed yet.
    if (!greeting || greeting.status?.text === 'printed') return
    await clock.sleep(5000, { signal })
    await client.status.apply(Greeting, request, { text: 'printed' })
  })
