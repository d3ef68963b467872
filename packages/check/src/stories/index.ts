/** The steps of an operator's run, as plain data. SPEC.md says what each step does. */
export { describeStory, storyInWords, type StepInWords } from './describe-step.ts'
export {
  nameOf,
  pathText,
  referenceTo,
  REST_DURATION,
  type FieldPath,
  type ObjectReference,
  type PlainObject,
  type RequestFailure,
  type Step,
  type Story,
} from './story.ts'
export type { ToldStep } from './tell-story.ts'
