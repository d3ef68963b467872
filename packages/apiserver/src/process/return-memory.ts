import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock, Timer } from '@homeostat/api'

/** Milliseconds between looks at the process. */
const INTERVAL = 3_000
/** A process that uses less of one core between two looks is idle. */
const IDLE_SHARE = 0.02
/** Collecting the garbage of a larger heap would stop requests for longer than its memory is worth. */
const SMALL_HEAP = 64 * 2 ** 20

/** The process whose memory is returned. */
export interface ProcessMemory {
  /** User and system time of the process so far, in milliseconds. */
  cpu(): number
  heapBytes(): number
  collect(): void
}

/**
 * Returns the memory that only the start of a server needed to the operating system, once: as soon as the process is idle. V8
 * does so by itself only after work that fills the heap. Does nothing where the heap has grown large by then. Disposing ends the wait.
 */
export function returnMemoryWhenIdle(clock: Clock, memory: ProcessMemory = ofThisProcess): Disposable {
  let timer: Timer | undefined
  const look = (): void => {
    const [cpu, time] = [memory.cpu(), clock.monotonic()]
    timer = clock.schedule(INTERVAL, () => {
      if (memory.cpu() - cpu > (clock.monotonic() - time) * IDLE_SHARE) look()
      else if (memory.heapBytes() <= SMALL_HEAP) memory.collect()
    })
  }
  look()
  return { [Symbol.dispose]: () => timer?.cancel() }
}

const ofThisProcess: ProcessMemory = {
  cpu() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
  heapBytes: () => process.memoryUsage().heapUsed,
  collect: collectGarbage,
}

/** Collects all garbage of this thread, and makes the heap as small as it can be. */
export function collectGarbage(): void {
  // Node has no other way to ask for this without a flag on the command line. Only contexts made afterwards have `gc`.
  setFlagsFromString('--expose-gc')
  const gc: NodeJS.GCFunction | undefined = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
