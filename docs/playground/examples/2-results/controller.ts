import { controller, defineKind, schema as s, TerminalError } from 'homeostat'

export const Poster = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Poster',
  spec: s.object({ text: s.string(), ink: s.enum('full', 'empty', 'forbidden') }),
  status: s.object({ printed: s.boolean().optional() }),
})

// Edit spec.ink of a Poster on the right, and see what each result leads to.
export const printer = controller('printer')
  .for(Poster)
  .writes(Poster, 'status.apply')
  .reconcile(async (request, { client }) => {
    const poster = await client.get(Poster, request)
    if (!poster) return undefined
    // An error: again after 1, 2, 4 … seconds, at most 5 minutes.
    if (poster.spec.ink === 'empty') throw new Error('the printer has no ink')
    // A terminal error: not again until something changes.
    if (poster.spec.ink === 'forbidden') throw new TerminalError('this ink may not be used')
    await client.status.apply(Poster, request, { printed: true })
    // Again after a time, although nothing changes.
    return { requeueAfter: '30s' }
  })
