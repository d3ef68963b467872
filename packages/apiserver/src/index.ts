/**
 * The Kubernetes API in one process: `await ApiServer.start()`, then call its `handler`, or open a port with `listen`.
 */
export { ApiServer } from './server.ts'
export type { ApiServerOptions } from './server-options.ts'
export { FollowedConfiguration } from './configuration/index.ts'
export type { AuditLog, AuditOptions } from './audit/index.ts'
export type { TokenWebhookOptions } from './authentication/index.ts'
export type { AdmissionHook, AdmissionRequest as AdmissionHookRequest } from './admission/index.ts'
export type { ServiceAccountOptions, TokenKey, User } from './auth/index.ts'
export type { WriteRecord } from './http/index.ts'
export type {
  AttachRequest as PodAttachRequest,
  CommandStreams,
  ConnectPort as PodPorts,
  PortConnection as PodConnection,
  PortForwardRequest as PodPortForwardRequest,
  StreamedCommand as PodCommand,
  TerminalSize,
} from './http/index.ts'
export type { ApiPort, FrontProxyOptions, PortOptions } from './port/index.ts'
export {
  countsTowardsQuota,
  quotaUsage,
  serverGaps,
  type KubeletHandlers,
  type NodeUsage,
  type PodExecRequest,
  type PodLogRequest,
  type PodLogs,
  type PodStreams,
  type PodUsage,
  type ProxyConnect,
  type ResourceMetrics,
  type ResourceUsage,
} from './native/index.ts'
export { checkPolicyTypes, type ExpressionWarning, type MatchedKind } from './policies/index.ts'
export type { WebhookHandlers, WebhookTarget } from './webhooks/index.ts'
export { Failure as ApiFailure, type WithoutEffect } from './registry/index.ts'
export { RevisionStore, type DataLoss, type Store } from './storage/index.ts'
