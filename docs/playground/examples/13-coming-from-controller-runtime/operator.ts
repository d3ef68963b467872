import { operator, sample } from 'homeostat'
import { Guestbook, guestbook } from './controller.ts'

export default operator('guestbook', {
  controllers: [guestbook],
  samples: [
    sample(Guestbook, {
      metadata: { namespace: 'default', name: 'visitors' },
      spec: { image: 'nginx', replicas: 2 },
    }),
  ],
})
