/**
 * An operator as one value, and what runs it as a process. A test, a local cluster and the manifests take the same value.
 */
export { operatorDefinitions } from './operator-kinds.ts'
export { operatorManager } from './operator-manager.ts'
export {
  isOperator,
  operator,
  resolveOperator,
  type Operator,
  type OperatorManagerOptions,
  type OperatorOptions,
  type OperatorRunnable,
  type OperatorSource,
} from './operator.ts'
export { run, type RunOptions } from './run.ts'
export { sample, type SampleObject } from './sample.ts'
