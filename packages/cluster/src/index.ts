/**
 * A small Kubernetes in one process: `await Cluster.start()` gives an API server, the controllers of
 * workloads, and a node that runs Pods as functions and processes of this machine.
 */
export { Cluster } from './cluster.ts'
export type {
  ClusterLogOptions,
  ClusterNode,
  ClusterOptions,
  ConnectOptions,
  ForwardOptions,
} from './cluster-options.ts'
export type { InstallOptions } from './install-operator.ts'
export type { SeparationProblem } from './separation-problem.ts'
export {
  imageFlag,
  mountedPath,
  type CommandImage,
  type Container,
  type ContainerModule,
  type Image,
  type ImageMap,
  type ModuleImage,
  type OutputWriter,
} from './images/index.ts'
export { bundledImages } from './stand-ins/index.ts'
export type { LogOptions } from './kubelet/index.ts'
export type { Connection, Forward, ServiceKey, SocketAddress } from './network/index.ts'
