import { operator, sample } from 'homeostat'
import { Greeting, printer } from './controller.ts'

const names = ['hello', 'welcome', 'goodbye', 'see-you']

export default operator('printer', {
  controllers: [printer],
  samples: names.map((name) =>
    sample(Greeting, { metadata: { namespace: 'default', name }, spec: { name } }),
  ),
})
