/** The Status document of failures, and the conditions that objects report. */
export {
  findCondition,
  isConditionTrue,
  setCondition,
  type Condition,
  type ConditionInput,
} from './conditions.ts'
export * as failure from './failure.ts'
export type { Status, StatusCause, StatusDetails, StatusReason } from './status.ts'
