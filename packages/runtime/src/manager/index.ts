/**
 * The life of an operator's process: the connection, the cache, the controllers, events, metrics, and an
 * orderly end.
 */
export { Manager, type ManagerOptions } from './manager.ts'
export type { MetricsPageOptions } from './metrics-page.ts'
export type { RequestLimits } from './request-throttle.ts'
