/**
 * The metrics of a server, under the names of kube-apiserver's metrics. Counting costs a few additions for each
 * request; the text is written when a client asks for it.
 */
export type {
  AdmissionPhase,
  ConditionsOwner,
  PluginPhase,
  PolicyCheck,
  PolicyError,
  WebhookOutcome,
} from './admission-metrics.ts'
export { Counters, Histograms, type Counter } from './counters.ts'
export { Exposition, TEXT_FORMAT } from './exposition.ts'
export type { HealthMetrics } from './health-metrics.ts'
export type { Histogram } from './histogram.ts'
export type { RequestKind } from './inflight.ts'
export type { RequestLabels, RequestSeries } from './request-metrics.ts'
export type { ReloadedPart } from './reload-metrics.ts'
export { ServerMetrics, type StoredCount } from './server-metrics.ts'
