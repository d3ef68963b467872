/**
 * A cluster as a manager uses it: the connection, the cache, and the clients that read and write it, held back where
 * requests are too many and where another process leads.
 */
export {
  Cluster,
  CONNECTION_OPTIONS,
  OPEN_CLUSTER,
  OWN_CLUSTER,
  type ClusterOptions,
  type ConnectionOptions,
  type OpenCluster,
} from './cluster.ts'
export { connectCluster, type ClusterConnection } from './connect-cluster.ts'
export type { RequestLimits } from './request-throttle.ts'
