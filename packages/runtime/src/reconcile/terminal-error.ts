import { errorChain, HomeostatError } from '@homeostat/api'

/**
 * A failure that a retry cannot fix: something must change first. A reconcile that throws one is logged and counted,
 * and not retried.
 */
export class TerminalError extends HomeostatError {
  override readonly name = 'TerminalError'

  constructor(message: string, options?: { cause?: unknown }) {
    super('TERMINAL', message, options)
  }
}

/** Whether the error, or one of its causes, is a {@link TerminalError}. */
export function isTerminal(error: unknown): boolean {
  return errorChain(error).some((each) => each instanceof TerminalError)
}
