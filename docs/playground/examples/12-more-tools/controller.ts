import { controller, defineKind, schema as s, setCondition } from 'homeostat'

export const Poster = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Poster',
  spec: s.object({ text: s.string() }),
  status: s.object({ conditions: s.conditions() }),
})

// Edit a Poster on the right: remove its text, and the condition says what is missing, and since when.
export const printer = controller('printer')
  .for(Poster)
  .writes(Poster, 'status.apply')
  .reconcile(async (request, { client, clock }) => {
    const poster = await client.get(Poster, request)
    if (!poster) return
    const ready =
      poster.spec.text === ''
        ? ({ type: 'Ready', status: 'False', reason: 'Empty', message: 'there is no text' } as const)
        : ({ type: 'Ready', status: 'True', reason: 'Printed' } as const)
    const conditions = setCondition(poster.status?.conditions, ready, clock)
    await client.status.apply(Poster, request, { conditions })
  })
