import { operator, sample } from 'homeostat'
import { Greeting, hourly } from './controller.ts'

export default operator('hourly', {
  controllers: [hourly],
  samples: [sample(Greeting, { metadata: { namespace: 'default', name: 'hello' }, spec: { name: 'world' } })],
})
