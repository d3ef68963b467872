/**
 * The audit log: a line of JSON for each stage of a request, as much as the policy says. Requests never wait for the log to be
 * written.
 */
export type { AuditRecord } from './audit-record.ts'
export { Auditor, type AuditLog, type AuditOptions } from './auditor.ts'
