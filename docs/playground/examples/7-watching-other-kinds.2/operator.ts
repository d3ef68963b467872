import { operator, sample } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { Greeting, greeting } from './controller.ts'

const namespace = 'default'
const labels = { 'guide.example.com/greeting': 'hello' }

export default operator('greeting', {
  controllers: [greeting],
  samples: [
    sample(Greeting, { metadata: { namespace, name: 'hello' }, spec: { name: 'world' } }),
    sample(ConfigMap, { metadata: { namespace, name: 'words', labels }, data: { text: 'Ahoy!' } }),
    sample(ConfigMap, { metadata: { namespace, name: 'unrelated' }, data: { text: 'Bye!' } }),
  ],
})
