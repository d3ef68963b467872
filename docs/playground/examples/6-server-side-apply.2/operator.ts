import { operator, sample } from 'homeostat'
import { elastic, Website } from './controller.ts'

export default operator('website', {
  controllers: [elastic],
  samples: [
    sample(Website, { metadata: { namespace: 'default', name: 'shop' }, spec: { image: 'nginx:1.27' } }),
  ],
})
