import { operator, sample } from 'homeostat'
import { formal, Greeting } from './controller.ts'

const namespace = 'default'
const labels = { tone: 'formal' }

export default operator('formal', {
  controllers: [formal],
  samples: [
    sample(Greeting, { metadata: { namespace, name: 'formal', labels }, spec: { name: 'world' } }),
    sample(Greeting, { metadata: { namespace, name: 'casual' }, spec: { name: 'you' } }),
  ],
})
