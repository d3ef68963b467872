/** The project that a command works with: the operator that its `operator.ts` exports. */
export { findOperator, loadOperator, type Project } from './load-operator.ts'
export { clusterOptions, operatorOption } from './options.ts'
