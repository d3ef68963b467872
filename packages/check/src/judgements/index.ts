/** Whether a run shows that the operator does not converge, and in which way. SPEC.md has the rules. */
export { judgeAlone, judgeMachineUse, judgeMistake } from './alone.ts'
export type { Expectation } from './expectation.ts'
export { CLASSES, type ClassDescription, type FindingClass } from './finding-class.ts'
export type { Finding } from './finding.ts'
export { judgeReference } from './failures.ts'
export { isMeaningful, judge } from './judge.ts'
export { isSameRoot } from './root.ts'
export { exactly, expectedOf, type Expected, type Trial } from './trial.ts'
