/**
 * Resolves in a later turn of the event loop: by then all ready promise callbacks have run, and pending input and
 * output has been processed. It does not advance any clock. It uses `setImmediate`, which is cheap, where it
 * exists.
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
