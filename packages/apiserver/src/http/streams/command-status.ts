import { failure, type Status } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'

/** How a command ended, as the error channel tells it. */
export type CommandStatus = Pick<Status, 'metadata' | 'status' | 'reason' | 'details' | 'message'> & {
  code?: number
}

/** That a command ended with an exit code. */
export function exitStatus(exitCode: number): CommandStatus {
  if (exitCode === 0) return { metadata: {}, status: 'Success' }
  const causes = [{ reason: 'ExitCode', message: String(exitCode) }]
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: command terminated with exit code ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes },
  }
}

/** That a command could not be run. `failed` says what was tried. */
export function failureStatus(failed: string, error: unknown): CommandStatus {
  if (error instanceof Failure) return error.status
  const message = error instanceof Error ? error.message : String(error)
  return failure.internalError(`${failed}: ${message}`)
}
