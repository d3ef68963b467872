/**
 * Requests over the network: one pool of connections for each cluster and user, proxies, and watches, which have
 * their own connections. Verifies the server, and explains failures in plain words.
 */
export { connect, type Target } from './connect.ts'
export { networkTransport, type NetworkTransportOptions } from './network-transport.ts'
