import { operator, sample } from 'homeostat'
import { Poster, printer } from './controller.ts'

const poster = (name: string, ink: 'full' | 'empty' | 'forbidden') =>
  sample(Poster, { metadata: { namespace: 'default', name }, spec: { text: 'Hello', ink } })

export default operator('printer', {
  controllers: [printer],
  samples: [poster('concert', 'full'), poster('festival', 'empty'), poster('party', 'forbidden')],
})
