import { HomeostatError } from '@homeostat/api'

/** The reason with which the signal of a killed process aborts. */
export class Killed extends HomeostatError {
  readonly signal: number

  constructor(signal: number) {
    super('SHELL_KILLED', `killed by signal ${signal}`)
    this.signal = signal
  }

  get status(): number {
    return 128 + this.signal
  }
}

/** The error of a writer when the other end of its pipe is closed. */
export class BrokenPipe extends HomeostatError {
  constructor() {
    super('SHELL_BROKEN_PIPE', 'Broken pipe')
  }
}

/** The promise, unless the signal aborts first. Other callers may still await the promise. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let stop: (() => void) | undefined
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason)
        signal.addEventListener('abort', stop, { once: true })
      }),
    ])
  } finally {
    if (stop) signal.removeEventListener('abort', stop)
  }
}
