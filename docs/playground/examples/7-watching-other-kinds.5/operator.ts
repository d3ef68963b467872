import { operator, sample } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { Greeting, signs } from './controller.ts'

const namespace = 'default'
const annotations = { 'guide.example.com/for': 'default/hello' }

export default operator('signs', {
  controllers: [signs],
  samples: [
    sample(Greeting, { metadata: { namespace, name: 'hello' }, spec: { name: 'world' } }),
    sample(Greeting, { metadata: { namespace, name: 'welcome' }, spec: { name: 'you' } }),
    sample(ConfigMap, { metadata: { namespace, name: 'sign', annotations }, data: { text: 'open' } }),
  ],
})
