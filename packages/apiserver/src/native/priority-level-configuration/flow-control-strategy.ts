import type { NativeKind } from '../kind/native-kind.ts'
import { keepMetadata, keptMetadata } from '../status/clear-status.ts'
import { generationAndStatus } from '../status/generation-and-status.ts'
import { statusErrors } from './status-validation.ts'

/** The strategy of FlowSchemas and PriorityLevelConfigurations. */
export const flowControlStrategy = {
  ...generationAndStatus,
  updateSteps: ['metadata', 'object'],
  prepareStatus: keepMetadata,
  resetFields: keptMetadata,
  plainStatusFinalizers: true,
  validateStatus: statusErrors,
} satisfies Partial<NativeKind>
