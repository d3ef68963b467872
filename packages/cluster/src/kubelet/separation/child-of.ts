import { readFileSync } from 'node:fs'

/** The children of a process; none once it is gone. */
export function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text
      .split(' ')
      .map(Number)
      .filter((child) => child > 0)
  } catch {
    return []
  }
}

/** A process and all that descend from it. */
export function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)]
}

/** The first child of a process. */
export function childOf(pid: number): number | undefined {
  return childrenOf(pid)[0]
}
