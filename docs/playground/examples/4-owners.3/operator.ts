import { operator, sample } from 'homeostat'
import { greeter, Greeting } from './controller.ts'

export default operator('greeter', {
  controllers: [greeter],
  samples: [
    sample(Greeting, { metadata: { namespace: 'default', name: 'hello' }, spec: { name: 'world' } }),
    sample(Greeting, { metadata: { namespace: 'default', name: 'welcome' }, spec: { name: 'you' } }),
  ],
})
