/**
 * Addresses that connect. Pods and Services have addresses in the API that are names only; here they
 * are mapped to loopback addresses of this machine, and nothing ever listens or sends anywhere else.
 */
export { AddressBook, type Locator } from './addresses/index.ts'
export { isClusterAddress } from './names/index.ts'
export { ClusterNetwork, type Origin } from './cluster-network.ts'
export type { Connection } from '@homeostat/shell'
export type { HostsFile } from './names/index.ts'
export { HostPorts } from './tcp/index.ts'
export { Loopback } from './addresses/index.ts'
export { PodNetwork, type PodAddress, type SocketAddress } from './addresses/index.ts'
export { MOST_NODES, podSubnet, subnetIndex, type PodSubnet } from './addresses/index.ts'
export { ServiceNetwork, type Forward, type ServiceKey } from './services/index.ts'
export { openTcpConnection } from './tcp/index.ts'
