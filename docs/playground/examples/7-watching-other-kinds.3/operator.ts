import { operator, sample } from 'homeostat'
import { Greeting, quiet } from './controller.ts'

export default operator('quiet', {
  controllers: [quiet],
  samples: [
    sample(Greeting, { metadata: { namespace: 'default', name: 'hello' }, spec: { name: 'world' } }),
    sample(Greeting, { metadata: { namespace: 'default', name: 'welcome' }, spec: { name: 'you' } }),
  ],
})
