import { operator, sample } from 'homeostat'
import { tenant } from './controller.ts'
import { Tenant } from './tenant.ts'

/** The Tenant operator: all that it consists of, and a sample to try it with. */
export default operator('tenant', {
  controllers: [tenant],
  samples: [
    sample(Tenant, {
      metadata: { name: 'tenant-sample' },
      spec: { namespaces: ['sample-web', 'sample-data'], members: ['alice', 'bob'] },
    }),
  ],
})
