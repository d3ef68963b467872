import { errorChain } from '@homeostat/api'
import { isConflict } from '../requests/index.ts'

/**
 * Whether the error, or one of its causes, is a conflict: the object had changed since it was read. A conflict of
 * field managers and an object that already exists do not count.
 */
export function isLostRace(error: unknown): boolean {
  return errorChain(error).some((each) => isConflict(each))
}
