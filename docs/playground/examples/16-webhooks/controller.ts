import { admission, controller, defineKind, invalid, schema as s } from 'homeostat'

export const Order = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Order',
  spec: s.object({ dish: s.string(), guests: s.integer() }),
  status: s.object({ served: s.integer().optional() }),
})

// Edit an Order on the right: ask for 20 guests, and the server refuses it.
export const orders = admission(Order)
  .defaults(() => ({ metadata: { labels: { kitchen: 'open' } } }))
  .validates({
    create: ({ spec }) => problemsOf(spec.guests),
    update: ({ spec }) => problemsOf(spec.guests),
  })

function problemsOf(guests: number) {
  return guests > 12 ? [invalid('spec.guests', 'the table has 12 chairs')] : []
}

export const kitchen = controller('kitchen')
  .for(Order)
  .writes(Order, 'status.apply')
  .reconcile(async (request, { client }) => {
    const order = await client.get(Order, request)
    if (order) await client.status.apply(Order, request, { served: order.spec.guests })
  })
