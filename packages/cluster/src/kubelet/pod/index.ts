/** Runs a whole Pod: its containers in their order, and its status. */
export { apiSources } from './api-sources.ts'
export { PodRunner } from './pod-runner.ts'
