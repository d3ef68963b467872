/**
 * The life of an operator's process: the connection, the cache, the controllers, events, metrics, and an
 * orderly end.
 */
export { Cluster, type ClusterOptions } from '../cluster/cluster.ts'
export type { ControllerDefaults } from './controller-defaults.ts'
export type { ManagerOptions } from './manager-options.ts'
export { Manager } from './manager.ts'
export type { HealthCheck } from '../pages/health-checks.ts'
export type { LeaderElectionOptions } from '../election/leader-election.ts'
export type { PageCertificate, PageOptions } from '../pages/page.ts'
export { podOptions } from './pod-options.ts'
export { recordRules, type RecordingTransport } from '../rules/record-rules.ts'
export { clusterRole, role } from '../rules/roles.ts'
export type { RequestLimits } from '../cluster/request-throttle.ts'
export type { Runnable, RunnableContext, RunnableOptions } from './runnable.ts'
