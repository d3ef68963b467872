/** Loopback addresses of this machine for Pods and Services. */
export { AddressBook, type Locator } from './address-book.ts'
export { Loopback, usablePort } from './loopback.ts'
export { PodNetwork, type PodAddress, type SocketAddress } from './pod-network.ts'
export { MOST_NODES, podSubnet, subnetIndex, type PodSubnet } from './pod-subnet.ts'
