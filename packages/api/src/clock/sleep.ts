import type { Clock } from './clock.ts'

/** `Clock.sleep` in terms of `Clock.schedule`. */
export function sleepOn(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const timer = clock.schedule(milliseconds, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    function abort(): void {
      timer.cancel()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
  })
}
