/**
 * A Kubernetes API for tests, under simulated time: start it, let everything settle, move time, and see which
 * requests wrote something.
 */
export type { Checkpoint } from './checkpoint.ts'
export {
  callJson,
  watchJson,
  type JsonAnswer,
  type JsonCallOptions,
  type JsonEvent,
  type JsonWatch,
} from './json-caller.ts'
export type { StoredChange, StoredKind, StoredName, StoredObjects } from './stored-objects.ts'
export { TestEnvironment, type TestEnvironmentOptions } from './test-environment.ts'
