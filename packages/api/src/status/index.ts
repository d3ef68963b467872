/** The Status document that failures come as, and the conditions that objects report. */
export type { Status, StatusCause, StatusDetails, StatusReason } from './status.ts'
