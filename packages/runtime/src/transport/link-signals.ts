/** A signal that aborts when any of several does. Disposal removes its listeners from them. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal | undefined
}

/**
 * Like `AbortSignal.any`, but it can be disposed of, so that a signal of the whole process does not collect a
 * listener for each request.
 */
export function linkSignals(...signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const given = signals.filter((signal) => signal !== undefined)
  if (given.length <= 1) return { signal: given[0], [Symbol.dispose]() {} }
  const controller = new AbortController()
  const followed: (() => void)[] = []
  for (const signal of given) {
    const abort = (): void => controller.abort(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    followed.push(() => signal.removeEventListener('abort', abort))
  }
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const letGo of followed) letGo()
    },
  }
}
