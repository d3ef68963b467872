/** Runs a whole Pod: its containers in their order, and its status. */
export { apiSources } from './api-sources.ts'
export type { NodeSettings } from './node-settings.ts'
export { PodRunner } from './pod-runner.ts'
