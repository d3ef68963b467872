import type { KindStrategy } from '../../registry/index.ts'
import { clearStatus } from '../status/clear-status.ts'

/** The strategy of workloads: the server counts generations, and only controllers write the status. */
export const workloadStrategy: KindStrategy = {
  generation: true,
  prepareCreate: clearStatus,
}
