/**
 * How requests reach an API server: where it is and as whom (kubeconfig, a Pod's ServiceAccount), over the
 * network or by a call within the process. A transport keeps one pool of connections, verifies whom it
 * talks to, and says in plain words why no answer came.
 */
export type { ClusterConfig } from '../configuration/cluster-config.ts'
export { ConfigError, type ConfigErrorCode } from '../configuration/config-error.ts'
export { connect, type Target } from '../connection/connect.ts'
export { directTransport, type DirectTransportOptions } from './direct-transport.ts'
export type { ExecConfig } from '../configuration/exec-config.ts'
export { loadConfig, type LoadConfigOptions } from '../configuration/load-config.ts'
export { networkTransport, type NetworkTransportOptions } from '../connection/network-transport.ts'
export { readBody } from './read-body.ts'
export { isTransportError, TransportError, type TransportErrorCode } from './transport-error.ts'
export type { Transport } from './transport.ts'
