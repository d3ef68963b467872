import { operator, sample } from 'homeostat'
import { myKindAdmission } from './admission.ts'
import { myKindController } from './controller.ts'
import { MyKind } from './kind.ts'

/** All that the operator consists of, and a sample to try it with. */
export default operator('my-operator', {
  controllers: [myKindController],
  webhooks: [myKindAdmission],
  samples: [
    sample(MyKind, {
      metadata: { namespace: 'default', name: 'hello' },
      spec: { text: 'Hello from the loop' },
    }),
  ],
})
