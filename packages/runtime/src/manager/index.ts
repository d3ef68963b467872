/**
 * The life of an operator's process: the connection, the cache, the controllers, events, metrics, and an
 * orderly end.
 */
export { Cluster, type ClusterOptions } from './cluster.ts'
export type { ControllerDefaults } from './controller-defaults.ts'
export type { ManagerOptions } from './manager-options.ts'
export { Manager } from './manager.ts'
export type { HealthCheck } from './health-checks.ts'
export type { LeaderElectionOptions } from './leader-election.ts'
export type { PageCertificate, PageOptions } from './page.ts'
export { podOptions } from './pod-options.ts'
export { recordRules, type RecordingTransport } from './record-rules.ts'
export { clusterRole, role } from './roles.ts'
export type { RequestLimits } from './request-throttle.ts'
export type { Runnable, RunnableContext, RunnableOptions } from './runnable.ts'
