import { readFileSync } from 'node:fs'
import { cpus, freemem, totalmem } from 'node:os'

/** Cumulative usage. */
export interface UsageSample {
  /** Processor time, in milliseconds since it began. */
  readonly cpu: number
  /** Memory that it has now, in bytes. */
  readonly memory: number
}

/** The usage of the whole machine. Memory that the system can reclaim at once does not count. */
export function machineSample(): UsageSample {
  const cpu = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
  return { cpu, memory: totalmem() - availableMemory() }
}

function availableMemory(): number {
  try {
    const kibibytes = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
    if (kibibytes !== undefined) return Number(kibibytes) * 1024
  } catch {
    // Only Linux has the file.
  }
  return freemem()
}
