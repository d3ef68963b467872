import { operator, sample } from 'homeostat'
import { Poster, printer } from './controller.ts'

const poster = (name: string, text: string) =>
  sample(Poster, { metadata: { namespace: 'default', name }, spec: { text } })

export default operator('printer', {
  controllers: [printer],
  samples: [poster('concert', 'Tonight at eight'), poster('empty', '')],
})
