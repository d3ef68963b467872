import { operator, sample } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import { counting, Greeting } from './controller.ts'

const namespace = 'default'

export default operator('counting', {
  controllers: [counting],
  samples: [
    sample(Greeting, { metadata: { namespace, name: 'hello' }, spec: { name: 'world' } }),
    sample(Greeting, { metadata: { namespace, name: 'welcome' }, spec: { name: 'you' } }),
    sample(Secret, { metadata: { namespace, name: 'welcome' }, data: { word: btoa('Ahoy!') } }),
  ],
})
