/**
 * The Kubernetes API in one process: `await ApiServer.start()`, then call its `handler`, or open a port with `listen`.
 */
export { ApiServer, type ApiServerOptions } from './server.ts'
export type { AdmissionHook, AdmissionRequest } from './admission/index.ts'
export type { ServiceAccountOptions, TokenKey, User } from './auth/index.ts'
export type { WriteRecord } from './http/handler.ts'
export type { PodLogRequest, PodLogs } from './http/pod-log.ts'
export type {
  CommandStreams,
  PodAttachRequest,
  PodCommand,
  PodConnection,
  PodExecRequest,
  PodPortForwardRequest,
  PodPorts,
  PodStreams,
  TerminalSize,
} from './http/pod-streams.ts'
export type { ProxyConnect } from './http/proxy-actions.ts'
export type { ApiPort, PortOptions } from './http/port.ts'
export { SERVER_GAPS } from './native/index.ts'
export type { WithoutEffect } from './registry/without-effect.ts'
export { Failure as ApiFailure } from './registry/failure.ts'
export { MemoryStore, type DataLoss, type Store } from './storage/index.ts'
