import type { Clock, Timer } from '@homeostat/api'

/** A client that has disappeared is detected by the second heartbeat at the latest. */
const PERIOD = 5_000

/**
 * Sends heartbeats for as long as a connection lives. While a slow consumer stops reads from the connection, only a
 * failed heartbeat shows that the other side is gone.
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
