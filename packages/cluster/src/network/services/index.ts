/** The addresses of Services, and the Pods that serve them. */
export { ServiceNetwork, type Forward, type KnownService, type ServiceKey } from './service-network.ts'
export type { ServicePlan } from './service-plan.ts'
