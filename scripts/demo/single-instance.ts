import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Holds a folder for one demo at a time. A demo that was killed leaves its mark behind; the next one sees
 * that no such process runs any more and takes over.
 */
export function holdFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mark = join(folder, 'demo.pid')
  const other = runningProcess(mark)
  if (other !== undefined) {
    throw new Error(
      `another demo is running (process ${other}). Stop it with Ctrl-C in its terminal, or use it: its kubeconfig is ${join(folder, 'kubeconfig')}`,
    )
  }
  writeFileSync(mark, String(process.pid))
  return { release: () => rmSync(mark, { force: true }) }
}

function runningProcess(mark: string): number | undefined {
  try {
    const pid = Number(readFileSync(mark, 'utf8'))
    if (!Number.isInteger(pid) || pid <= 0) return undefined
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}
