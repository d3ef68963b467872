/** Whether a run shows that the operator does not converge, and in which way. */
export type { Expectation } from './expectation.ts'
export { CLASSES, type ClassDescription, type FindingClass } from './finding-class.ts'
export type { Finding } from './finding.ts'
export { isMeaningful, judge, judgeAlone, judgeMachineUse, judgeMistake } from './judge.ts'
export type { Expected, Trial } from './trial.ts'
