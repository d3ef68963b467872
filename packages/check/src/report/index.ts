/** What was found, as text for a person and as data for programs. */
export type { CheckReport, Intent } from './check-report.ts'
export { textReport } from './text-report.ts'
