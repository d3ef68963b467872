import { HomeostatError } from '@homeostat/api'

/** Whether a store could not write, as on a full disk, for now or until a person helps. */
export function isStoreFailure(error: unknown): error is HomeostatError {
  return error instanceof HomeostatError && error.code.startsWith('STORE_')
}
