/** Runs one container of a Pod: pulls its image, starts it, calls its hooks and probes, and restarts it. */
export { ContainerRunner } from './container-runner.ts'
export type { Launched } from './launch.ts'
export type { NodeNetwork, PodEvent, PodStep, PodContext } from './pod-context.ts'
export { isSidecar, shouldRestart } from './restart-policy.ts'
