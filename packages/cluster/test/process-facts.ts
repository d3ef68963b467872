import { readFileSync } from 'node:fs'

/** The system's information about a process; undefined once it has ended, which may be at any moment. */
export function processFact(pid: number | string, file: 'stat' | 'cmdline' | 'comm' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** Whether the process runs; a zombie does not. */
export function isRunning(pid: number | string): boolean {
  const stat = processFact(pid, 'stat')
  return stat !== '' && !stat.includes(') Z ')
}
