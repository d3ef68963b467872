/** Identifies a span, so that other spans can refer to it. */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

/** A piece of work that took time. */
export interface Span {
  spanContext(): SpanContext
  setAttribute(name: string, value: string | number | boolean): unknown
  /** 1 means OK, 2 an error. */
  setStatus(status: { code: number; message?: string }): unknown
  recordException(error: Error): void
  /** `time` is in milliseconds since 1970. */
  end(time?: number): void
}

export interface SpanOptions {
  kind?: number
  attributes?: Record<string, string | number | boolean>
  /** Spans that led to this one. */
  links?: { context: SpanContext }[]
  startTime?: number
  root?: boolean
}

/**
 * Receives spans. The module `@opentelemetry/api` implements it: `new Manager({ tracing: otel })` after `import *
 * as otel from '@opentelemetry/api'`. This package does not load that module itself.
 */
export interface Tracing {
  readonly trace: {
    getTracer(name: string): { startSpan(name: string, options?: SpanOptions, context?: any): Span }
    setSpan(context: any, span: any): any
  }
  readonly context: {
    active(): any
    with<T>(context: any, call: () => T): T
  }
}

/** The name under which this package's spans are known. */
export const TRACER = 'homeostat'
/** The numbers that OpenTelemetry gives a status and a kind of span. */
export const SPAN_ERROR = 2
export const SPAN_CLIENT = 2
export const SPAN_CONSUMER = 4
