/**
 * The controllers of a cluster, each an ordinary controller of the runtime: workloads, Jobs, the endpoints of
 * Services, namespaces and the objects that each of them has, garbage collection, and the scheduler.
 */
export { controllerManager, type ControllerManagerOptions } from './controller-manager.ts'
export { ensureMetricsReader } from './metrics-reader.ts'
export { NAMESPACE_CONTROLLER } from './namespace/namespace-controller.ts'
export { openApiSchemas } from './policy-types/openapi-schemas.ts'
export { ensureStandardClass } from './persistent-volumes/standard-class.ts'
export { scheduler } from './scheduler/scheduler.ts'
export { CLUSTER_GAPS } from './without-effect/cluster-gaps.ts'
export { workloadControllers } from './workload-controllers.ts'
