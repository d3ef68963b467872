import { checkOptionNames, optionNames } from '@homeostat/api'
import type { ServerMetrics } from '../metrics/index.ts'
import { AuditPolicy } from './audit-policy.ts'
import { AuditRecord, type AuditedRequest } from './audit-record.ts'

/** Where audit events go. `write` must return at once, since requests do not wait for the log. */
export interface AuditLog {
  /** Takes one event, which is a line of JSON. */
  write(event: string): void
  /** Writes what is left. */
  close?(): Promise<void>
}

/** The options of the audit log. */
export interface AuditOptions {
  /** A Policy of `audit.k8s.io/v1`, as kube-apiserver reads it from `--audit-policy-file`. */
  readonly policy: unknown
  readonly log: AuditLog
}

const AUDIT_OPTIONS = optionNames<AuditOptions>('the option audit', { policy: true, log: true })

/** Writes events about requests, as the policy says. */
export class Auditor {
  readonly #policy: AuditPolicy
  readonly #log: AuditLog
  readonly #metrics: ServerMetrics
  readonly #now: () => number

  constructor(options: AuditOptions, metrics: ServerMetrics, now: () => number) {
    checkOptionNames(options, AUDIT_OPTIONS)
    const { policy, log } = options
    this.#policy = AuditPolicy.read(policy)
    this.#log = log
    this.#metrics = metrics
    this.#now = now
  }

  /** The record of a request; undefined where the policy wants none. */
  begin(request: Omit<AuditedRequest, 'received'>): AuditRecord | undefined {
    const config = this.#policy.configOf(request.user, request.attributes)
    this.#metrics.auditLevels.of(config.level).count++
    if (config.level === 'None') return undefined
    return new AuditRecord(config, { ...request, received: this.#now() }, this.#now, (event) => {
      this.#metrics.auditEvents.count++
      this.#log.write(event)
    })
  }

  async close(): Promise<void> {
    await this.#log.close?.()
  }
}
