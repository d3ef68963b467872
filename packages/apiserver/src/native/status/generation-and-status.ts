import type { KindStrategy } from '../../registry/index.ts'
import { clearStatus } from './clear-status.ts'

/**
 * The strategy of kinds with a spec, and a status that only a controller writes: the server counts
 * generations from the creation on, and drops the status that a client sends with a create.
 */
export const generationAndStatus: KindStrategy = {
  generation: true,
  prepareCreate: clearStatus,
}
