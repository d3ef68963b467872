import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Where a larger one no longer saves time: half of it is in use, half is for the next collection. */
const ENOUGH_BYTES = 8 * 1_048_576
const FREEZE = '--semi-space-growth-factor=1'
const GROW = '--semi-space-growth-factor=2'

/**
 * Keeps V8 from making its young generation larger than it pays. By itself it grows with the machine's memory, to 128 MB
 * and more, and what it has taken it keeps: in an operator, which holds many objects and makes little garbage, that is
 * most of the memory of the process. V8 reads the flag at each growth, so it is set once the size is reached, and taken
 * back when V8 has made it small, as it does when the process is idle. Disposing it lets V8 grow as it likes.
 */
export function limitYoungGeneration(): Disposable {
  let limited = false
  const limit = (wanted: boolean): void => {
    if (wanted === limited) return
    limited = wanted
    setFlagsFromString(wanted ? FREEZE : GROW)
  }
  const look = (): void => limit(youngBytes() >= ENOUGH_BYTES)
  const observer = new PerformanceObserver(look)
  observer.observe({ entryTypes: ['gc'] })
  look()
  return {
    [Symbol.dispose]() {
      observer.disconnect()
      limit(false)
    },
  }
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
}
