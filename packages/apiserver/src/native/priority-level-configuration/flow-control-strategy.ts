import type { NativeKind } from '../kind/native-kind.ts'
import { keepMetadata, keptMetadata } from '../status/clear-status.ts'
import { workloadStrategy } from '../workload/workload-strategy.ts'
import { statusErrors } from './status-validation.ts'

/** The strategy of FlowSchemas and PriorityLevelConfigurations. */
export const flowControlStrategy = {
  ...workloadStrategy,
  updateSteps: ['metadata', 'object'],
  prepareStatus: keepMetadata,
  resetFields: keptMetadata,
  plainStatusFinalizers: true,
  validateStatus: statusErrors,
} satisfies Partial<NativeKind>
