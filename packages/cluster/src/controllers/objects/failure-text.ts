import { ApiError } from 'homeostat'

/** The message of a failure for conditions and events: that of the server where the server answered with it. */
export function failureText(error: unknown): string {
  if (error instanceof ApiError) return error.status.message ?? error.message
  return error instanceof Error ? error.message : String(error)
}
