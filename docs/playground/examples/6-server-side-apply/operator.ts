import { operator, sample } from 'homeostat'
import { Website, website } from './controller.ts'

export default operator('website', {
  controllers: [website],
  samples: [
    sample(Website, { metadata: { namespace: 'default', name: 'shop' }, spec: { image: 'nginx:1.27' } }),
  ],
})
