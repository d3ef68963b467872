import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Where a larger one no longer saves time: half of it is in use, half is for the next collection. */
const ENOUGH_BYTES = 8 * 1_048_576
const FREEZE = '--semi-space-growth-factor=1'
const GROW = '--semi-space-growth-factor=2'

/**
 * Keeps V8 from making its young generation larger than it pays. By itself it grows with the machine's memory, to 128 MB
 * and more, and what it has taken it keeps: in an operator, which holds many objects and makes little garbage, that is
 * most of the memory of the process. V8 reads the flag at each growth, so it is enough to set it once the size is
 * reached. Disposing it lets V8 grow again.
 */
export function limitYoungGeneration(): Disposable {
  let limited = false
  const look = (): void => {
    if (limited || youngBytes() < ENOUGH_BYTES) return
    limited = true
    observer.disconnect()
    setFlagsFromString(FREEZE)
  }
  const observer = new PerformanceObserver(look)
  observer.observe({ entryTypes: ['gc'] })
  look()
  return {
    [Symbol.dispose]() {
      observer.disconnect()
      if (limited) setFlagsFromString(GROW)
      limited = true
    },
  }
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
}
