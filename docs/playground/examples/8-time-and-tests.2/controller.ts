import { controller, defineKind, schema as s } from 'homeostat'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
  status: s.object({ text: s.string().optional() }),
})

const HALF_A_DAY = 12 * 3_600_000

// Jump a day ahead: the greeting changes at noon and at midnight (UTC).
export const morning = controller('morning')
  .for(Greeting)
  .writes(Greeting, 'status.apply')
  .reconcile(async (request, { client, clock }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return {}
    const now = clock.now()
    const text = new Date(now).getUTCHours() < 12 ? 'Good morning!' : 'Good day!'
    await client.status.apply(Greeting, request, { text })
    return { requeueAfter: HALF_A_DAY - (now % HALF_A_DAY) }
  })
