import { operator, sample } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { Greeting, greeting } from './controller.ts'

const namespace = 'default'

export default operator('greeting', {
  controllers: [greeting],
  samples: [
    sample(Greeting, { metadata: { namespace, name: 'first' }, spec: { words: 'words' } }),
    sample(Greeting, { metadata: { namespace, name: 'second' }, spec: { words: 'words' } }),
    sample(Greeting, { metadata: { namespace, name: 'third' }, spec: { words: 'missing' } }),
    sample(ConfigMap, { metadata: { namespace, name: 'words' }, data: { text: 'Ahoy!' } }),
  ],
})
