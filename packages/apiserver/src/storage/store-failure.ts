import { HomeostatError } from '@homeostat/api'

/** Whether an error says that the store cannot write, as on a full disk. */
export function isStoreFailure(error: unknown): error is HomeostatError {
  return error instanceof HomeostatError && error.code.startsWith('STORE_')
}
