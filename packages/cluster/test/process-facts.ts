import { readFileSync } from 'node:fs'

/** What the system says of a process; nothing once it has gone, which may be at any moment. */
export function processFact(pid: number | string, file: 'stat' | 'cmdline' | 'comm' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** Whether the process runs: one that has ended and only waits to be noticed does not. */
export function isRunning(pid: number | string): boolean {
  const stat = processFact(pid, 'stat')
  return stat !== '' && !stat.includes(') Z ')
}
