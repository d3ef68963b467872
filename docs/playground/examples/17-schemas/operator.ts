import { operator, sample } from 'homeostat'
import { Backup, backup } from './controller.ts'

const namespace = 'default'
const targets = [{ name: 'orders', size: '20Gi' }]

export default operator('backup', {
  controllers: [backup],
  samples: [
    sample(Backup, {
      metadata: { namespace, name: 'nightly' },
      spec: { schedule: '0 3 * * *', targets, region: 'north' },
    }),
    sample(Backup, {
      metadata: { namespace, name: 'hourly' },
      spec: { schedule: '0 * * * *', mode: 'Incremental', keep: 3, targets, region: 'south' },
    }),
  ],
})
