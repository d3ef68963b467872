/**
 * Finds the ways in which an operator does not converge, without a test: `check(operator)` plays its samples in worlds in which
 * processes crash, requests fail, caches are behind, and other clients change what the operator made.
 */
export { check } from './check.ts'
export type { CheckOptions, CheckProgress, VaryingField } from './check-options.ts'
export { CLASSES, type ClassDescription, type Finding, type FindingClass } from './judgements/index.ts'
export { textReport, type CheckReport, type Intent } from './report/index.ts'
export type { ObjectReference, PlainObject, Step, Story } from './stories/index.ts'
export type { Difference } from './world/index.ts'
