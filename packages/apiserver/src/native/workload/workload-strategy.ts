import type { KindStrategy } from '../../registry/index.ts'
import { clearStatus } from '../status/clear-status.ts'

/** Workloads: the server counts generations, and only their controllers write the status. */
export const workloadStrategy: KindStrategy = {
  generation: true,
  prepareCreate: clearStatus,
}
