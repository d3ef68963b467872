import { controller, defineKind, FinalizerRegistry, schema as s } from 'homeostat'

export const Poster = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Poster',
  spec: s.object({ text: s.string() }),
})

/** A printing house outside of the cluster, which needs a minute to cancel an order. */
const orders = new Map<string, { cancelledAt?: number }>()
const MINUTE = 60_000

// Delete a Poster on the right: it stays until its order is cancelled. Let a minute pass.
const finalizers = new FinalizerRegistry(Poster).register(
  'guide.example.com/order',
  async ({ metadata: { name } }, { clock, log }) => {
    const order = orders.get(name)
    if (!order) return undefined
    order.cancelledAt ??= clock.now()
    if (clock.now() - order.cancelledAt < MINUTE) {
      log.info('waiting for the order to be cancelled')
      return 'pending'
    }
    orders.delete(name)
    return undefined
  },
)

export const printer = controller('printer')
  .for(Poster)
  .uses(finalizers)
  .reconcile(async (request, context) => {
    const { client } = context
    const poster = await client.get(Poster, request)
    if (!poster) return undefined
    const { deleting } = await finalizers.finalize(client, poster, context)
    if (deleting) return { requeueAfter: '20s' }
    orders.set(request.name, {})
    return undefined
  })
