import { errorChain } from '@homeostat/api'
import { isConflict } from '../requests/index.ts'

/**
 * Whether the error, or what lies behind it, is a write that came too late: the object had changed. A
 * contested apply and an object that is there already are none.
 */
export function isLostRace(error: unknown): boolean {
  return errorChain(error).some((each) => isConflict(each))
}
