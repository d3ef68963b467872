import type { ApiRequest, ApiResponse } from '@homeostat/api'
import type { AdmissionChain } from '../../admission/index.ts'
import type { Authorizer, Impersonation, ServiceAccountTokens, TokenReader, User } from '../../auth/index.ts'
import type { Auditor } from '../../audit/index.ts'
import type { FlowControl } from '../../flow-control/index.ts'
import type { Discovery } from '../../discovery/index.ts'
import type { ServerMetrics } from '../../metrics/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { LazyModule } from '../../work/index.ts'
import type { KindActions } from '../actions/kind-actions.ts'

/** A write request, whether it succeeded or not. */
export interface WriteRecord {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly fieldManager?: string | undefined
  readonly userAgent?: string | undefined
  readonly user: string
  /** The status code of the answer. */
  readonly code: number
}

/** The paths for which other API servers are responsible. */
export interface ExtensionPaths {
  /** Passes a request of a user on; undefined for a path of this server. */
  serve(request: ApiRequest, user: User): ApiResponse | Promise<ApiResponse> | undefined
}

/** The parts of a server that answer its requests. */
export interface HandlerParts {
  readonly registry: Registry
  /** Makes an id for a request that has none. */
  readonly newAuditId: () => string
  readonly discovery: Discovery
  readonly readToken: TokenReader
  /** Whether requests without credentials may ask for a path. Default: they may. */
  readonly allowsAnonymous?: ((path: string) => boolean) | undefined
  readonly authorizer: Authorizer
  readonly impersonation: Impersonation
  readonly serviceAccounts: ServiceAccountTokens
  readonly admission: LazyModule<AdmissionChain>
  /** The actions of native kinds, such as those for their subresources. */
  readonly actions: KindActions
  readonly metrics: ServerMetrics
  /** Decides which requests run now. Default: all do. */
  readonly flowControl?: FlowControl | undefined
  /** Writes the audit log. Default: there is none. */
  readonly auditor?: Auditor | undefined
  /** Answers requests for which other API servers are responsible. */
  readonly extensions?: ExtensionPaths | undefined
  /** Called after each write request was answered. */
  readonly onWrite?: ((write: WriteRecord) => void) | undefined
}

/** Answers a request, or passes it on to the steps that follow. */
export type Next<T> = (request: T) => ApiResponse | Promise<ApiResponse>

/**
 * One step of request handling. It answers the request itself, or calls `next` and may change the answer. A step that
 * only reads the request returns `next(request)` without waiting for it.
 */
export type Step<T> = (request: T, next: Next<T>, server: HandlerParts) => ApiResponse | Promise<ApiResponse>

/**
 * Combines a list of steps into one function: each passes the request on to the one after it, the last one to `last`.
 */
export function chain<T>(steps: readonly Step<T>[], server: HandlerParts, last: Next<T>): Next<T> {
  return steps.reduceRight<Next<T>>((next, step) => (request) => step(request, next, server), last)
}
