/**
 * The life of an operator's process: the connection, the cache, the controllers, events, metrics, and an
 * orderly end.
 */
export { Manager, type ManagerOptions } from './manager.ts'
export type { HealthCheck } from './health-checks.ts'
export type { LeaderElectionOptions } from './leader-election.ts'
export type { PageOptions } from './page.ts'
export { recordRules, type RecordingTransport } from './record-rules.ts'
export { clusterRole, role } from './roles.ts'
export type { PolicyRule } from './rule-set.ts'
export type { RequestLimits } from './request-throttle.ts'
