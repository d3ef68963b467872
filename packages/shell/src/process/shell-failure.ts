import { HomeostatError } from '@homeostat/api'

/** A command of a script cannot be carried out: the message is printed, and the command fails with `status`. */
export class ShellFailure extends HomeostatError {
  readonly status: number
  /** Ends a shell that is not interactive, as POSIX asks for failures of expansions and special builtins. */
  readonly fatal: boolean

  constructor(message: string, options: { status?: number; fatal?: boolean } = {}) {
    super('SHELL_FAILURE', message)
    this.status = options.status ?? 2
    this.fatal = options.fatal ?? true
  }
}
