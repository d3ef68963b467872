/**
 * The work of a manager as a stream of events, for pages and programs that show it. Events come in order, with sequence
 * numbers without gaps; a limited number of them is kept. They name objects and fields, and hold no value of an object,
 * except for what the operator itself writes into its errors and log lines.
 */
export { Activity, type ActivityListener, type ActivityOptions } from './activity.ts'
export type {
  ActivityEvent,
  QueueChanged,
  QueuedRequest,
  ReconcileEnded,
  ReconcileStarted,
  RecordedLog,
  RecordedRead,
  RecordedWrite,
} from './activity-event.ts'
export { RecordedRun } from './recorded-run.ts'
