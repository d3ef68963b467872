import { ApiError } from 'homeostat'

/** A failure as conditions and events tell it: in the server's own words where it is the server's answer. */
export function failureText(error: unknown): string {
  if (error instanceof ApiError) return error.status.message ?? error.message
  return error instanceof Error ? error.message : String(error)
}
