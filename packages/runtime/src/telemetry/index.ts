/**
 * Logs, metrics and traces of a running operator: the interfaces that everything else may use, and small
 * implementations of them.
 */
export {
  tellCallbackFailure,
  type CallbackFailure,
  type CallbackFailureListener,
} from './callback-failure.ts'
export { createLogger, silentLogger, type LoggerOptions, type LogLevel } from './create-logger.ts'
export { logFields } from './log-fields.ts'
export type { LogFields, Logger, LogMethod } from './logger.ts'
export type { Labels } from './metric-family.ts'
export type { Histogram } from './metric-histogram.ts'
export { MetricsRegistry, type Counter, type Gauge, type Metrics } from './metrics.ts'
export {
  SPAN_CLIENT,
  SPAN_CONSUMER,
  SPAN_ERROR,
  TRACER,
  type Span,
  type SpanContext,
  type SpanOptions,
  type Tracing,
} from './tracing.ts'
