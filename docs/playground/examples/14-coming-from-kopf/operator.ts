import { operator, sample } from 'homeostat'
import { EphemeralVolumeClaim, volumes } from './controller.ts'

export default operator('volumes', {
  controllers: [volumes],
  samples: [
    sample(EphemeralVolumeClaim, {
      metadata: { namespace: 'default', name: 'my-claim', labels: { application: 'some-app' } },
      spec: { size: '1Gi' },
    }),
  ],
})
