import { operator, sample } from 'homeostat'
import { Greeting, greeting } from './controller.ts'

export default operator('greeting', {
  controllers: [greeting],
  samples: [
    sample(Greeting, { metadata: { namespace: 'default', name: 'hello' }, spec: { name: 'world' } }),
    sample(Greeting, { metadata: { namespace: 'default', name: 'welcome' }, spec: { name: 'you' } }),
  ],
})
