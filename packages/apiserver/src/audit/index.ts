/**
 * The audit log: a line of JSON for each stage of a request, in the detail that the policy asks for. Requests never
 * wait for the log to be written.
 */
export type { AuditRecord } from './audit-record.ts'
export { Auditor, type AuditLog, type AuditOptions } from './auditor.ts'
