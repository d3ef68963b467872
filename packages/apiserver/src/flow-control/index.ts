/**
 * Priority and fairness: which requests run now, which wait, and which are refused. A FlowSchema puts a request into a flow,
 * its PriorityLevelConfiguration says how many requests of the level run at a time. Requests that wait are taken from the
 * flows in turn, so that a client that sends many requests delays its own.
 */
export { FlowControl, type FlowControlOptions, type LimitedRequest } from './flow-control.ts'
export type { Flow } from './flow.ts'
export type { RunningRequest } from './priority-level.ts'
