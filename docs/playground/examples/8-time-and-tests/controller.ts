import { controller, defineKind, schema as s } from 'homeostat'

export const Reminder = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Reminder',
  spec: s.object({ text: s.string(), afterMinutes: s.integer().min(1) }),
  status: s.object({ told: s.boolean().optional() }),
})

const MINUTE = 60_000

// Time comes from the clock. Let it run faster, or jump an hour ahead.
export const reminder = controller('reminder')
  .for(Reminder)
  .writes(Reminder, 'status.apply')
  .reconcile(async (request, { client, clock }) => {
    const reminder = await client.get(Reminder, request)
    if (!reminder || reminder.status?.told) return undefined
    const made = Date.parse(reminder.metadata.creationTimestamp)
    const left = made + reminder.spec.afterMinutes * MINUTE - clock.now()
    if (left > 0) return { requeueAfter: left }
    await client.status.apply(Reminder, request, { told: true })
    return undefined
  })
