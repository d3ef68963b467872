/**
 * The controller-runtime for TypeScript: what an operator ships. `homeostat/kinds` has the kinds that every
 * Kubernetes serves.
 */
export {
  controller,
  objectReconciler,
  type Access,
  type Controller,
  type ControllerBuilder,
  type ControllerForBuilder,
  type ControllerOfBuilder,
  type ControllerOptions,
  type DeclaresAccess,
  type OwnsOptions,
  type PolicyRule,
  type Reconcile,
  type ReconcileReport,
  type WatchOptions,
  type WriteVerb,
} from './controller/index.ts'
export {
  describeCause,
  describeCauses,
  isTerminal,
  TerminalError,
  type Cause,
  type ChangedPart,
  type EventObject,
  type EventOptions,
  type EventRecorder,
  type ReconcileContext,
  type Request,
  type Result,
} from './reconcile/index.ts'
export {
  Cluster,
  clusterRole,
  Manager,
  podOptions,
  recordRules,
  role,
  type ClusterOptions,
  type ControllerDefaults,
  type HealthCheck,
  type LeaderElectionOptions,
  type ManagerOptions,
  type PageCertificate,
  type PageOptions,
  type RecordingTransport,
  type RequestLimits,
  type Runnable,
  type RunnableContext,
  type RunnableOptions,
} from './manager/index.ts'
export * from './ownership/index.ts'
export { controllerRuntimeLimits, type RetryLimits } from './queue/index.ts'
export * as handlers from './handler/index.ts'
export * as predicates from './predicate/index.ts'
export type { Handler, HandlerContext, Mapping } from './handler/index.ts'
export type { Predicate } from './predicate/index.ts'
export {
  Channel,
  every,
  informerSource,
  WatchedKinds,
  type ExternalEvent,
  type ObjectSource,
  type Source,
  type SourceContext,
} from './source/index.ts'
export {
  cacheKind,
  InformerCache,
  metadataOnly,
  stripManagedFields,
  type Cache,
  type CacheOptions,
  type IndexFunction,
  type Informer,
  type InformerCacheOptions,
  type KindCacheOptions,
  type MetadataOnly,
  type ObjectEvent,
  type Transform,
} from './cache/index.ts'
export {
  compareVersions,
  watchKind,
  type Delta,
  type FirstList,
  type WatchKindOptions,
} from './watch/index.ts'
export * from './client/index.ts'
export * from './transport/index.ts'
export {
  createLogger,
  silentLogger,
  type LogFields,
  type Logger,
  type LoggerOptions,
  type LogMethod,
  type LogLevel,
  type CallbackFailure,
} from './telemetry/index.ts'
export { MetricsRegistry, type Counter, type Gauge, type Metrics } from './telemetry/metrics.ts'
export type { Span, SpanContext, SpanOptions, Tracing } from './telemetry/tracing.ts'
export type { Histogram } from './telemetry/metric-histogram.ts'
export type { Labels } from './telemetry/metric-family.ts'
export {
  apiVersionOf,
  customResourceDefinition,
  defineKind,
  findCondition,
  formatKey,
  HomeostatError,
  isConditionTrue,
  keyOf,
  milliseconds,
  parseKey,
  schema,
  setCondition,
  SimulatedClock,
  SystemClock,
  timestamp,
  type AnyKind,
  type ApplyOf,
  type Clock,
  type Condition,
  type ConditionInput,
  type CreateOf,
  type Duration,
  type KeyOf,
  type Kind,
  type KubernetesObject,
  type MutableOf,
  type ObjectKey,
  type ObjectMeta,
  type ObjectOf,
  type OwnerReference,
  type Status,
  type StatusOf,
  kindFromCustomResourceDefinition,
  kindsFromCustomResourceDefinition,
  printKind,
  type CustomResourceDefinitionOptions,
} from '@homeostat/api'
