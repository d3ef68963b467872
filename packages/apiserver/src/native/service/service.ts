import type { NativeBehaviour } from '../kind/native-behaviour.ts'
import { defaultService } from './service-defaults.ts'
import { validateServiceUpdate } from './service-update.ts'
import { validateService, validateServiceStatus } from './service-validation.ts'

/** Services. */
export const service: NativeBehaviour = {
  default: defaultService,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  validateStatus: validateServiceStatus,
  updateSteps: ['metadata change', 'change', 'object'],
}
