/**
 * Addresses that connect. Pods and Services have addresses in the API that are names only; here they
 * are mapped to loopback addresses of this machine, and nothing ever listens or sends anywhere else.
 */
export { AddressBook, type Locator } from './address-book.ts'
export { isClusterAddress } from './cluster-names.ts'
export { ClusterNetwork, type Origin } from './cluster-network.ts'
export type { Connection } from '@homeostat/shell'
export type { HostsFile } from './hosts-files.ts'
export { HostPorts } from './host-ports.ts'
export { Loopback } from './loopback.ts'
export { PodNetwork, type PodAddress, type SocketAddress } from './pod-network.ts'
export { MOST_NODES, podSubnet, subnetIndex, type PodSubnet } from './pod-subnet.ts'
export { ServiceNetwork, type Forward, type ServiceKey } from './service-network.ts'
export { openTcpConnection } from './tcp-connection.ts'
