/** Probes of containers: startup, readiness and liveness. */
export type { CheckResult } from './check.ts'
export { ContainerProbes } from './container-probes.ts'
export { httpGet } from './http-get.ts'
export type { ProbeKind } from './probe-state.ts'
export { probeTarget } from './probe-target.ts'
