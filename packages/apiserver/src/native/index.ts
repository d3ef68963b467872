/**
 * The native kinds: those that are part of Kubernetes. A kind's folder holds all that is special about it and exports one `NativeKind`;
 * `kinds.ts` lists these records. It is loaded with the first request that needs one. This module exports what a
 * server needs before that.
 */
export type { PluginServices } from './admission-plugins.ts'
export { Aggregator } from './aggregation/aggregator.ts'
export { publishAuthentication } from './aggregation/front-proxy.ts'
export { customStrategy } from './custom-resource-definition/custom-resource.ts'
export { makeDefaultObjects, publishEndpoint } from './default-objects.ts'
export { mandatoryFlowObjects } from './flow-schema/flow-control-objects.ts'
export { keepFlowControlObjects } from './flow-schema/keep-flow-control-objects.ts'
export { followChanges } from './follow-changes.ts'
export { nativeActions, nativeKinds } from './lazy-kinds.ts'
export type { KindServices } from './kind/native-kind.ts'
export { metricsAction } from './metrics/metrics-actions.ts'
export { METRICS_GROUP, METRICS_RESOURCES } from './metrics/metrics-resources.ts'
export type { NodeUsage, PodUsage, ResourceMetrics, ResourceUsage } from './metrics/resource-metrics.ts'
export { COUNTED_PLUGINS } from './counted-plugins.ts'
export { OPTIONAL_PLUGINS } from './optional-plugins.ts'
export type { KubeletHandlers } from './pod-runner/kubelet-handlers.ts'
export type { PodLogRequest, PodLogs } from './pod-runner/pod-logs.ts'
export type { PodExecRequest, PodStreams } from './pod-runner/pod-streams.ts'
export type { ProxyConnect } from './pod-runner/proxy-connect.ts'
export { countsTowardsQuota, quotaUsage } from './resource-quota/quota-usage.ts'
export { DEFAULT_SERVICE_RANGE, parseServiceRange } from './service-cidr/service-range.ts'
export { SERVER_GAPS, serverGaps } from './server-gaps.ts'
