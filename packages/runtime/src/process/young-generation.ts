import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** A larger young generation saves no more time. Half of it is in use, half is for the next collection. */
const ENOUGH_BYTES = 8 * 1_048_576
const FREEZE = '--semi-space-growth-factor=1'
const GROW = '--semi-space-growth-factor=2'

/**
 * Limits the size of V8's young generation. Without a limit it grows with the machine's memory, to 128 MB and more,
 * and does not shrink while the process works. In an operator, which holds many objects and produces little garbage,
 * that would be most of the memory of the process. V8 reads the flag at each growth, so the flag is set when the size
 * is reached, and reset when V8 has shrunk the young generation, as it does when the process is idle. Disposal
 * removes the limit.
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
