/** How a run of a container ended. */
export interface Exit {
  readonly exitCode: number
  /** The number of the signal that ended it. */
  readonly signal?: number | undefined
  /** The reason as the API names it: `Completed`, `Error`, or `StartError` for a container that never ran. */
  readonly reason: string
  readonly message?: string | undefined
}

/** One run of a container, from its start to its end. */
export interface Run {
  /** Resolves once, when all processes of the run have ended. It never rejects. */
  readonly exited: Promise<Exit>
  /** Why it did not start, where that is known at once. */
  readonly notStarted?: Exit | undefined
  /** The ids of its processes on this machine. Default: none, as for a function of this process. */
  readonly processes?: (() => readonly number[]) | undefined
  /**
   * The address of `localhost` on which a function of this process listens on a port. Default: none, as for
   * processes.
   */
  readonly localAddress?: ((port: number) => string | undefined) | undefined
  /** Asks it to end: SIGTERM, or the abort of its signal. */
  terminate(): void
  /** Ends it now: SIGKILL to all of its processes. A function of this process is abandoned. */
  kill(): void
}

/** The exit of a run that ended by itself with this code. */
export function exitWith(exitCode: number, signal?: number): Exit {
  return { exitCode, signal, reason: exitCode === 0 ? 'Completed' : 'Error' }
}

/** A run that never started. Runtimes report it with code 128. */
export function startError(message: string): Exit {
  return { exitCode: 128, reason: 'StartError', message }
}

/** A run that could not start, and has ended. */
export function runOf(exit: Exit): Run {
  return { exited: Promise.resolve(exit), notStarted: exit, terminate() {}, kill() {} }
}
