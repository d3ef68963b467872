import type { Clock, Timer } from '@homeostat/api'
import { collectionOf, type Registry } from '../../registry/index.ts'
import { isStoreFailure } from '../../storage/index.ts'

/** Both groups serve the same Events. */
const EVENTS = '/events'

/** How long an expired event waits while the store takes no writes, in milliseconds. */
const RETRY = 1_000

/** Removes events when `lifetime` milliseconds have passed since their last write, with one timer for all. Zero keeps them. */
export function expireEvents(registry: Registry, clock: Clock, lifetime: number): Disposable {
  if (lifetime === 0) return { [Symbol.dispose]: () => {} }
  // All events live equally long, so that they expire in the order of their writes.
  const due: { key: string; revision: number; at: number }[] = []
  let timer: Timer | undefined
  const wait = (): void => {
    const [next] = due
    timer = next ? clock.schedule(next.at - clock.monotonic(), expire) : undefined
  }
  const expire = (): void => {
    const resource = registry.catalogue.find('', 'v1', 'events')
    while (due[0] && due[0].at <= clock.monotonic()) {
      const { key, revision } = due[0]
      try {
        if (resource) registry.remove(resource, key, revision)
      } catch (error) {
        if (!isStoreFailure(error)) throw error
        timer = clock.schedule(RETRY, expire)
        return
      }
      due.shift()
    }
    wait()
  }
  // When the events in the store were written is unknown: their lifetime begins now.
  for (const { key, revision } of registry.store.snapshot({ collection: EVENTS })) {
    due.push({ key, revision, at: clock.monotonic() + lifetime })
  }
  wait()
  registry.observe(({ resource, key, entry }) => {
    if (!entry || collectionOf(resource) !== EVENTS) return
    due.push({ key, revision: entry.revision, at: clock.monotonic() + lifetime })
    if (!timer) wait()
  })
  return { [Symbol.dispose]: () => timer?.cancel() }
}
