import { existsSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'

/** Clock ticks in a second, as Linux counts CPU time for programs. */
const TICKS = 100

/** The CPU time of all ended children of this process and of theirs, in seconds; undefined where the system does not count it. */
function childrenCpu(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  // The name of the program, in parentheses, may contain spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / TICKS
}

/** Measures the steps of a script, and prints each when it is done. */
export class Stopwatch {
  readonly #begin = performance.now()

  /** Seconds since the first step began. */
  get total(): number {
    return (performance.now() - this.#begin) / 1_000
  }

  async step<T>(title: string, run: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const cpu = childrenCpu()
    const result = await run()
    const seconds = (performance.now() - started) / 1_000
    const used = (childrenCpu() ?? 0) - (cpu ?? 0)
    console.log(
      `${title.padEnd(58)} ${seconds.toFixed(1).padStart(6)} s  CPU ${used.toFixed(1).padStart(6)} s  load ${loadavg()[0]?.toFixed(1)}`,
    )
    return result
  }
}
