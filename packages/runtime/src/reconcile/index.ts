/**
 * The interface between a controller and a reconcile: the request, the context, the result, terminal errors, and the
 * causes of a request.
 */
export type { Cause, ChangedPart } from './cause.ts'
export { clockWithSleep } from './clock-with-sleep.ts'
export type { ReconcileContext } from './context.ts'
export { describeCause, describeCauses } from './describe-cause.ts'
export { causeOfEvent } from './event-cause.ts'
export type { EventObject, EventOptions, EventRecorder } from './event-recorder.ts'
export { explainFrozenObject } from './frozen-object.ts'
export { messageOf } from './message-of.ts'
export { reconcileId } from './reconcile-id.ts'
export type { Request } from './request.ts'
export {
  readResult,
  type KnownResult,
  type Outcome,
  type Result,
  type ResultField,
  type ResultWith,
} from './result.ts'
export { isTerminal, TerminalError } from './terminal-error.ts'
export { requestOf, requestText } from './request-text.ts'
