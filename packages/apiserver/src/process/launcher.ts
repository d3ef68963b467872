import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { SystemClock, type Timer } from '@homeostat/api'
import { errorCode } from '../work/index.ts'

/** The interval of the checks, in real time. */
const INTERVAL = 500
/** npm, the shell that it starts, and one or two programs between: further ancestors are not checked. */
const GENERATIONS = 8
const LAUNCHERS = /(?:^|[/\\\s])(?:npm|npx|pnpm|yarn|bun)(?:-cli)?(?:\.[cm]?js)?(?:\s|$)/

/**
 * Calls back once when the npm, npx, pnpm or yarn that started this process, or a process between the two, has ended:
 * these programs do not pass a signal on to this process. Does nothing where no such program started this process, so
 * that a program in the background outlives its terminal. Disposing ends the watch.
 */
export function onLauncherEnd(ended: (launcher: string) => void): Disposable {
  const machine = new SystemClock()
  const chain = process.env['npm_config_user_agent'] === undefined ? [] : launcherChain()
  let timer: Timer | undefined
  const look = (): void => {
    timer = machine.schedule(INTERVAL, () => {
      if (chain.every(isAlive)) look()
      else ended('the npm command that started this process')
    })
  }
  if (chain.length > 0) look()
  return { [Symbol.dispose]: () => timer?.cancel() }
}

/** The processes from this one's parent up to the launcher; empty where there is no launcher. */
function launcherChain(): number[] {
  const chain: number[] = []
  let pid = process.ppid
  while (pid > 1 && chain.length < GENERATIONS) {
    const found = processFacts(pid)
    if (!found) return []
    chain.push(pid)
    if (LAUNCHERS.test(found.command)) return chain
    pid = found.parent
  }
  return []
}

/** Undefined where the process has ended, or where this system has no such information. */
function processFacts(pid: number): { readonly parent: number; readonly command: string } | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name is in parentheses, and may contain any character.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      return { parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }
    } catch {
      return undefined
    }
  }
  if (process.platform === 'win32') return undefined
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' })
  const match = /^\s*(\d+)\s+(.*)$/m.exec(stdout ?? '')
  return match?.[2] === undefined ? undefined : { parent: Number(match[1]), command: match[2] }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
