/** Runs a whole Pod: its containers in their order, and its status. */
export { apiSources } from './api-sources.ts'
export { PodRunner, type NodeSettings } from './pod-runner.ts'
