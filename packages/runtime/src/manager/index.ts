/**
 * The life of an operator's process: the connection, the cache, the controllers, events, metrics, and an
 * orderly end.
 */
export type { ControllerDefaults } from './controller-defaults.ts'
export { checkManagerOptions, type ManagerOptions, type ServeWebhooks } from './manager-options.ts'
export { Manager } from './manager.ts'
export { podOptions } from './pod-options.ts'
export type { Runnable, RunnableContext, RunnableOptions } from './runnable.ts'
export type { WebhooksOptions } from '../webhook/index.ts'
