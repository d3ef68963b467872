/**
 * Requests over the network: one pool of connections for each cluster and user, proxies, and watches, which have
 * connections of their own. Verifies the server, and says in plain words why no answer came.
 */
export { connect, type Target } from './connect.ts'
export { networkTransport, type NetworkTransportOptions } from './network-transport.ts'
