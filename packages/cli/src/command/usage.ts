import { HomeostatError } from '@homeostat/api'

/** A wrong command line. The program ends with exit code 2. */
export function usageError(message: string): HomeostatError {
  return new HomeostatError('USAGE', message)
}
