import { operator, sample } from 'homeostat'
import { kitchen, Order, orders } from './controller.ts'

export default operator('kitchen', {
  controllers: [kitchen],
  webhooks: [orders],
  samples: [
    sample(Order, { metadata: { namespace: 'default', name: 'lunch' }, spec: { dish: 'soup', guests: 4 } }),
  ],
})
