/**
 * Finds the ways in which an operator does not converge. The author writes no test: `check(operator)` plays the
 * operator's samples in worlds in which processes crash, requests fail, caches are behind, and other clients change the
 * objects that the operator made.
 */
export { check, tryStory, type StoryTest } from './check.ts'
export { checkModule } from './check-module.ts'
export { replayFinding, type ObservedStory, type StoryObserver } from './replay-finding.ts'
export type {
  CheckDeclarations,
  CheckMemory,
  CheckModuleOptions,
  CheckOptions,
  CheckProgress,
  FinalState,
  VaryingField,
} from './options/index.ts'
export {
  CLASSES,
  type ClassDescription,
  type Expectation,
  type Fact,
  type Finding,
  type FindingClass,
} from './judgements/index.ts'
export {
  junitReport,
  sarifReport,
  testFile,
  textReport,
  type CheckReport,
  type Intent,
  type SarifPlaces,
  type ToldFinding,
} from './report/index.ts'
export type { ObjectReference, PlainObject, Step, StepInWords, Story, ToldStep } from './stories/index.ts'
export type { Difference, ExternalSystem, Invariant, InvariantWorld } from './world/index.ts'
