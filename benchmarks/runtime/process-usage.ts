import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The resources that a process has used. */
export interface ProcessUsage {
  /** User and system time of all its threads, in seconds. */
  readonly cpuSeconds: number
  readonly residentBytes: number
  readonly peakResidentBytes: number
}

let ticks: number | undefined

/** Reads it from `/proc`, at once, so that the numbers speak of this moment. Linux only. */
export function processUsage(pid: number): ProcessUsage {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the program's name in parentheses, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticks,
    residentBytes: kilobytes(status, 'VmRSS') * 1024,
    peakResidentBytes: kilobytes(status, 'VmHWM') * 1024,
  }
}

function kilobytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN)
}
