import type { Clock, Timer } from '@homeostat/api'

/** A client that is gone without a word is found out by the second of them at the latest. */
const PERIOD = 5_000

/**
 * Sends something now and then for as long as a connection lives. While nothing is read from a connection, because the
 * reader is slower, this alone shows that the other side is gone.
 */
export function heartbeat(clock: Clock, beat: () => void): Disposable {
  let timer: Timer
  const next = (): void => {
    timer = clock.schedule(PERIOD, () => {
      beat()
      next()
    })
  }
  next()
  return { [Symbol.dispose]: () => timer.cancel() }
}
