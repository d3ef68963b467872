import { isConflict } from '../client/api-error.ts'

/**
 * Whether the error, or what lies behind it, is a write that came too late: the object had changed. A
 * contested apply and an object that is there already are none.
 */
export function isLostRace(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (isConflict(current)) return true
  }
  return false
}
