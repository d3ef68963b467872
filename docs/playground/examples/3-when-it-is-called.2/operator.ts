import { operator, sample } from 'homeostat'
import { Greeting, slow } from './controller.ts'

const greeting = (name: string) =>
  sample(Greeting, { metadata: { namespace: 'default', name }, spec: { name: 'world' } })

export default operator('slow', {
  controllers: [slow],
  samples: [greeting('hello'), greeting('welcome')],
})
