import { operator, sample } from 'homeostat'
import { Poster, printer } from './controller.ts'

const poster = (name: string) =>
  sample(Poster, { metadata: { namespace: 'default', name }, spec: { text: 'Hello' } })

export default operator('printer', {
  controllers: [printer],
  samples: [poster('concert'), poster('festival')],
})
