/** The steps of an operator's run, as plain data. SPEC.md says what each step does. */
export { describeStory, pathText } from './describe-step.ts'
export {
  nameOf,
  referenceTo,
  REST_DURATION,
  type FieldPath,
  type ObjectReference,
  type PlainObject,
  type RequestFailure,
  type Step,
  type Story,
} from './story.ts'
