/** TCP connections, and proxies that pass them on. */
export { HostPorts } from './host-ports.ts'
export { openTcpConnection } from './tcp-connection.ts'
export { TcpProxy, type Choice, type Route } from './tcp-proxy.ts'
