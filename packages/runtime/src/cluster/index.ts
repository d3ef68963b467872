/**
 * A cluster as a manager uses it: the connection, the cache, and the clients that read and write it. Clients delay
 * requests beyond the rate limit, and refuse writes while another process leads.
 */
export {
  ClusterConnection,
  CONNECTION_OPTIONS,
  OPEN_CLUSTER,
  OWN_CLUSTER,
  type ClusterConnectionOptions,
  type ConnectionOptions,
  type OpenCluster,
} from './cluster-connection.ts'
export { connectCluster, type ClusterTransport } from './connect-cluster.ts'
export type { RequestLimits } from './request-throttle.ts'
