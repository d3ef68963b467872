import { operator, sample } from 'homeostat'
import { calm, Greeting } from './controller.ts'

export default operator('calm', {
  controllers: [calm],
  samples: [
    sample(Greeting, { metadata: { namespace: 'default', name: 'hello' }, spec: { name: 'world' } }),
    sample(Greeting, { metadata: { namespace: 'default', name: 'welcome' }, spec: { name: 'you' } }),
  ],
})
