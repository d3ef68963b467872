/** The operator of `homeostat dev`, in a separate process that can be ended at any line. */
export type { OperatorDescription } from './messages.ts'
export { OperatorProcess } from './operator-process.ts'
