import { operator, sample } from 'homeostat'
import { Greeting, morning } from './controller.ts'

export default operator('morning', {
  controllers: [morning],
  samples: [sample(Greeting, { metadata: { namespace: 'default', name: 'hello' }, spec: { name: 'world' } })],
})
