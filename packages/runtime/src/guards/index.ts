/**
 * Guards protect the server and other controllers from a faulty reconcile: from endless loops, contested fields, too
 * many requests and kinds that are not served. Each guard gets events and decides; the controller acts.
 */
export { changedFields } from './changed-fields.ts'
export { ContestedFields, type Contest } from './contested-fields.ts'
export { KindWaits, servedCause } from './kind-waits.ts'
export { isLostRace } from './lost-race.ts'
export { RequestPacing } from './request-pacing.ts'
export { SelfCausedRuns, type ReconcileLoop } from './self-caused-runs.ts'
export { type ChainedRun, WriteChains } from './write-chains.ts'
