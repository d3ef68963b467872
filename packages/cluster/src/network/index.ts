/**
 * Addresses that connect. Pods and Services have addresses in the API that are names only; here they
 * are mapped to loopback addresses of this machine, and nothing ever listens or sends anywhere else.
 */
export { Loopback } from './loopback.ts'
export { PodNetwork, type PodAddress, type SocketAddress } from './pod-network.ts'
export { ServiceNetwork, type Forward, type ServiceKey } from './service-network.ts'
