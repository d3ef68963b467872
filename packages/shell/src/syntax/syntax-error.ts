import { HomeostatError } from '@homeostat/api'

/** A script that cannot be parsed. `incomplete` says that further lines could complete it. */
export class ShellSyntaxError extends HomeostatError {
  readonly line: number
  readonly incomplete: boolean

  constructor(message: string, line: number, incomplete = false) {
    super('SHELL_SYNTAX', message)
    this.line = line
    this.incomplete = incomplete
  }
}
