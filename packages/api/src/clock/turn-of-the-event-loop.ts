/**
 * Resolves in a later turn of the event loop: every promise that was ready has run, and what waited for input and
 * output had its turn. It takes no time of any clock. `setImmediate` is the cheap way where there is one.
 */
export function turnOfTheEventLoop(): Promise<void> {
  if (typeof setImmediate === 'function') return new Promise((resolve) => setImmediate(resolve))
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}
