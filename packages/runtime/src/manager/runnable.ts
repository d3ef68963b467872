import { optionNames, type Clock } from '@homeostat/api'
import type { InformerCache } from '../cache/index.ts'
import type { Client } from '../client/index.ts'
import type { Access, PolicyRule } from '../controller/index.ts'
import type { EventRecorder } from '../reconcile/index.ts'
import type { Logger, Metrics } from '../telemetry/index.ts'

/** The context of a runnable. */
export interface RunnableContext {
  /**
   * Reads from the cache and writes to the server, with the runnable's name as the field manager. If the runnable
   * needs leader election, the client writes only while this process leads.
   */
  readonly client: Client
  readonly cache: InformerCache
  /** The field manager of its writes: its own name. */
  readonly fieldManager: string
  /** Its lines carry the runnable's name. */
  readonly log: Logger
  readonly clock: Clock
  readonly events: EventRecorder
  readonly metrics: Metrics
  /**
   * Aborts when the manager stops. The client still works until `gracefulShutdownTimeout` is over, so that the
   * runnable can clean up.
   */
  readonly signal: AbortSignal
}

/**
 * Work that belongs to the process rather than to an object: a server, a poller, a migration at the start. It may
 * end before the manager does. A runnable that throws stops the manager.
 */
export type Runnable = (context: RunnableContext) => void | Promise<void>

/** How a runnable runs. */
export interface RunnableOptions {
  /**
   * Whether it runs only in the process that leads, if the manager elects a leader. Default: true. A runnable that
   * runs in every process is started before the election.
   */
  readonly needLeaderElection?: boolean | undefined
  /**
   * The kinds that it reads and writes, for `manager.rules()`: `[{ kind: Secret, verbs: ['read', 'apply'] }]`. Default:
   * nothing.
   */
  readonly access?: readonly Access[] | undefined
  /** Further RBAC rules that it needs. Default: none. */
  readonly rules?: readonly PolicyRule[] | undefined
}

export const RUNNABLE_OPTIONS = optionNames<RunnableOptions>('manager.addRunnable', {
  needLeaderElection: true,
  access: true,
  rules: true,
})
