import { failure, type Status } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'

/** The end of a command, as a Status for the error channel. */
export type CommandStatus = Pick<Status, 'metadata' | 'status' | 'reason' | 'details' | 'message'> & {
  code?: number
}

/** The Status of a command that ended with an exit code. */
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

/** The Status of a command that could not be run. `failed` names the attempt. */
export function failureStatus(failed: string, error: unknown): CommandStatus {
  if (error instanceof Failure) return error.status
  const message = error instanceof Error ? error.message : String(error)
  return failure.internalError(`${failed}: ${message}`)
}
