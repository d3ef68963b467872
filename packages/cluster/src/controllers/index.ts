/**
 * The controllers of a cluster, each an ordinary controller of the runtime: workloads, the endpoints of
 * Services, the binding of Pods to nodes, the collection of garbage.
 */
export { deploymentController } from './deployment/deployment-controller.ts'
export { endpointsController } from './endpoints/endpoints-controller.ts'
export { garbageCollector } from './garbage-collector/garbage-collector.ts'
export { replicaSetController } from './replica-set/replica-set-controller.ts'
export { scheduler } from './scheduler/scheduler.ts'
