import { spawn, type ChildProcess } from 'node:child_process'

/**
 * Reads `+ group` and `- group` lines, and when its input ends, because this process closed it or died,
 * ends the groups that are left. It is told numbers only.
 */
const SCRIPT = `
groups=' '
while read -r sign group; do
  case $group in *[!0-9]*|'') continue ;; esac
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
`

/**
 * Sees to it that no process outlives this one, even when it is killed with no chance to clean up: a
 * small shell in a session of its own waits for this process to go, and then ends every process group
 * that was still running. A process that leaves its group (`setsid`) escapes it.
 */
export class ProcessGuard implements AsyncDisposable {
  #guard: ChildProcess | undefined
  #closed = false

  /** Starts to watch over a process group. The guard itself starts with the first. */
  add(group: number): void {
    if (this.#closed) return
    this.#guard ??= start()
    this.#tell(`+ ${group}`)
  }

  /** The group has ended by itself. */
  remove(group: number): void {
    this.#tell(`- ${group}`)
  }

  /** Ends what is left, and the guard. */
  async close(): Promise<void> {
    this.#closed = true
    const guard = this.#guard
    if (!guard || guard.exitCode !== null || guard.signalCode !== null) return
    const ended = new Promise<void>((resolve) => guard.once('exit', () => resolve()))
    guard.ref()
    guard.stdin?.end()
    await ended
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #tell(line: string): void {
    const input = this.#guard?.stdin
    if (input?.writable) input.write(`${line}\n`)
  }
}

function start(): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', SCRIPT], {
    detached: true,
    env: {},
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a guard things still run; only the death of this process would then leave some behind.
  guard.on('error', () => undefined)
  guard.stdin?.on('error', () => undefined)
  guard.unref()
  ;(guard.stdin as unknown as { unref?: () => void } | null)?.unref?.()
  return guard
}
