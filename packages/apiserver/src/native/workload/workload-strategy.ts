import type { KindStrategy } from '../../registry/index.ts'
import { clearStatus } from '../status/clear-status.ts'

/** What makes Pods counts generations; its status is others' to write. */
export const workloadStrategy: KindStrategy = {
  generation: true,
  prepareCreate: clearStatus,
}
