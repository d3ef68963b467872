import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import type { Exposition } from './exposition.ts'

/** The resources that the process uses. Figures that the system does not report are left out. */
export function writeProcess(to: Exposition, now: number): void {
  const one = (name: string, type: 'counter' | 'gauge', help: string, value: number | undefined): void => {
    if (value !== undefined) to.family(name, type, help)('', [], value)
  }
  const { user, system } = process.cpuUsage()
  const cpu = 'Total user and system CPU time spent in seconds.'
  one('process_cpu_seconds_total', 'counter', cpu, (user + system) / 1e6)
  one('process_resident_memory_bytes', 'gauge', 'Resident memory size in bytes.', process.memoryUsage.rss())
  one(START, 'gauge', START_HELP, startedAt(now))
  one('process_open_fds', 'gauge', 'Number of open file descriptors.', openFiles())
  one('process_max_fds', 'gauge', 'Maximum number of open file descriptors.', mostFiles())
  one('process_virtual_memory_bytes', 'gauge', 'Virtual memory size in bytes.', virtualMemory())
}

const START = 'process_start_time_seconds'
const START_HELP = 'Start time of the process since unix epoch in seconds.'

/** When the process started, in seconds. */
export function startedAt(now: number): number {
  return Math.round(now / 10) / 100 - Math.round(process.uptime() * 100) / 100
}

/** The start of the process, as kube-apiserver reports it beside the results of its health checks. */
export function writeStart(to: Exposition, now: number): void {
  to.family(START, 'gauge', `[ALPHA] ${START_HELP}`)('', [], startedAt(now))
}

function openFiles(): number | undefined {
  return onLinux(() => readdirSync('/proc/self/fd').length)
}

function mostFiles(): number | undefined {
  return onLinux(() => Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]))
}

function virtualMemory(): number | undefined {
  return onLinux(
    () => 1024 * Number(/^VmSize:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]),
  )
}

/** Only Linux reports it. */
function onLinux(read: () => number): number | undefined {
  try {
    const value = read()
    return Number.isFinite(value) ? value : undefined
  } catch {
    return undefined
  }
}
