/**
 * What keeps a reconcile that goes wrong from harming the server and the other controllers: endless loops, contested
 * fields, too many requests, kinds that are not served. Each guard is given events and decides; the controller acts.
 */
export { changedFields } from './changed-fields.ts'
export { ContestedFields, type Contest } from './contested-fields.ts'
export { KindWaits, servedCause } from './kind-waits.ts'
export { isLostRace } from './lost-race.ts'
export { RequestPacing } from './request-pacing.ts'
export { SelfCausedRuns, type ReconcileLoop } from './self-caused-runs.ts'
