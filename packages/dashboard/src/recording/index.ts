/**
 * The recording that a page shows: objects, reconciles and queues, as a moment and the entries since. It is limited in length, and
 * holds no value of a Secret.
 */
export {
  FORMAT,
  OPERATOR_ACTIONS,
  type ApiState,
  type Change,
  type Disturbance,
  type Entry,
  type KindName,
  type Moment,
  type ObjectChanged,
  type ObjectGone,
  type OperatorAction,
  type OperatorChanged,
  type QueueState,
  type RecordedObject,
  type Recording,
  type StartedRun,
} from './entry.ts'
export { HIDDEN, hideSecrets, isSecret } from './hide-secrets.ts'
export { MomentState } from './moment-state.ts'
export { ReadableRecording, type ReadQuestion } from './readable-recording.ts'
export { Recorder, type RecorderOptions, type SentEntry } from './recorder.ts'
export type { RecordedStory, ShownDifference, ShownFinding, StepInWords, StoryStep } from './story.ts'
export type { ToldFact, ToldFailure, ToldPods, ToldStep } from './told.ts'
export { withReasons } from './with-reasons.ts'
