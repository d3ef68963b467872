import process from 'node:process'

/** A signal that aborts when the process is asked to stop, until it is disposed of. */
export interface StopSignal extends Disposable {
  readonly signal: AbortSignal
}

/**
 * Listens for SIGINT and SIGTERM. The first of them aborts the signal; the second ends the process at
 * once with exit code 1.
 */
export function stopOnProcessSignals(): StopSignal {
  const stop = new AbortController()
  const handle = (name: NodeJS.Signals): void => {
    if (stop.signal.aborted) process.exit(1)
    stop.abort(name)
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', handle)
      process.off('SIGTERM', handle)
    },
  }
}
