import { HomeostatError } from '@homeostat/api'

/** A command line that cannot be right. The program ends with exit code 2. */
export function usageError(message: string): HomeostatError {
  return new HomeostatError('USAGE', message)
}
