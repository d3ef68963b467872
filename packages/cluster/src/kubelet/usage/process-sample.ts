import { readFileSync } from 'node:fs'
import type { UsageSample } from './machine-sample.ts'

/** How long a tick of `/proc/<pid>/stat` is, in milliseconds: the same on all systems that Node runs on. */
const TICK = 10
/** The position of `utime` behind the name of the program; three more times follow it. */
const FIRST_TIME = 11
/** The position of the resident memory, in pages. */
const RESIDENT = 21
const PAGE = 4096

/** The usage of processes, with their ended children. Undefined on systems other than Linux. */
export function processSample(processes: readonly number[]): UsageSample | undefined {
  if (process.platform !== 'linux') return undefined
  const all = processes.map(sampleOf)
  return {
    cpu: all.reduce((sum, { cpu }) => sum + cpu, 0),
    memory: all.reduce((sum, { memory }) => sum + memory, 0),
  }
}

function sampleOf(pid: number): UsageSample {
  const fields = statOf(pid)
  const times = fields.slice(FIRST_TIME, FIRST_TIME + 4)
  return {
    cpu: times.reduce((sum, ticks) => sum + Number(ticks), 0) * TICK,
    memory: Number(fields[RESIDENT] ?? 0) * PAGE,
  }
}

/** The fields behind the name of the program, which may itself hold anything. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    // It has ended.
    return []
  }
}
