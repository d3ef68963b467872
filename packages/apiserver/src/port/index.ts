/**
 * The API on a port of this machine, over TLS: listening, connections and their limits, client certificates, and the
 * kubeconfig for a client. Each request becomes a value for the handler of `http/`. The module that listens needs Node and
 * is imported late: a server without a port runs without Node.
 */
export type { FrontProxyOptions } from './front-proxy.ts'
export type { ApiPort, PortHandler, PortOptions, PortServer } from './port.ts'
