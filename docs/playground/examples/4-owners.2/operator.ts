import { operator, sample } from 'homeostat'
import { counting, Greeting } from './controller.ts'

const greeting = (name: string, times: number) =>
  sample(Greeting, { metadata: { namespace: 'default', name }, spec: { times } })

export default operator('counting', {
  controllers: [counting],
  samples: [greeting('hello', 2), greeting('welcome', 1)],
})
