import { spawn, type ChildProcess } from 'node:child_process'
import { Cgroups, type Cgroup, type CgroupLimits } from './cgroups.ts'
import { ProcessMark } from './process-mark.ts'

/**
 * Reads lines `+ group` and `- group`. Its input ends when this process closes it or dies. Then the script
 * ends the groups that are left, all processes of the control groups in the folders that are its further
 * arguments, and every process that carries a mark: the variable in its first argument, or a limit that
 * begins with the digits in its second. All values that it reads are numbers.
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
variable=$1 digits=$2
shift 2
for round in 1 2 3 4 5 6 7 8 9 10; do
  left=
  for folder; do
    for run in "$folder"/*/; do
      [ -d "$run" ] || continue
      echo 1 >"\${run}cgroup.kill"
      echo 0 >"\${run}pids.max"
      while read -r pid; do kill -KILL "$pid"; done <"\${run}cgroup.procs"
      rmdir "$run" || left=yes
    done
    rmdir "$folder"
  done 2>/dev/null
  [ -n "$left" ] || break
  sleep 0.1
done
for round in 1 2 3 4 5; do
  found="$(grep -lsazFx -e "$variable" /proc/[0-9]*/environ 2>/dev/null)
$(grep -ls -e "^Max realtime timeout  *$digits[0-9][0-9][0-9][0-9][0-9] " /proc/[0-9]*/limits 2>/dev/null)"
  ended=
  for file in $found; do
    file=\${file#/proc/}
    kill -KILL "\${file%/*}" 2>/dev/null && ended=yes
  done
  [ -n "$ended" ] || break
done
`

/**
 * Makes sure that no process outlives this one, even if this one is killed and cannot clean up. A small shell
 * in its own session waits until this process is gone, and then ends every process group that still runs. On
 * Linux it also finds processes that have left their group (`setsid`): by their control group, or else by the
 * mark in their environment and by a {@link ProcessMark}, which they cannot lose.
 */
export class ProcessGuard implements AsyncDisposable {
  /** The variable that every process must have in its environment. */
  readonly mark: { readonly name: string; readonly value: string }
  readonly #processMark: ProcessMark
  readonly #cgroups: Cgroups
  readonly #groups = new Set<number>()
  #guard: ChildProcess | undefined
  #closed = false

  /** `identity` differs from that of every other guard on this machine. */
  constructor(identity: string) {
    // Contains the number of this process: the guard of a killed process must not end what its successor starts.
    this.mark = { name: 'HOMEOSTAT_NODE', value: `${identity} ${process.pid}` }
    this.#processMark = new ProcessMark(identity)
    this.#cgroups = new Cgroups(identity)
  }

  /** Why processes have no limits here, as the end of a sentence. */
  get limitsProblem(): string | undefined {
    return this.#cgroups.problem
  }

  /** A control group for a run of a container; `undefined` where this system has none. */
  cgroup(limits: CgroupLimits): Cgroup | undefined {
    return this.#cgroups.make(limits)
  }

  /** How to start a program without a control group so that it, and all that it starts, can be found again: see {@link ProcessMark}. */
  wrap(program: string, args: readonly string[]): ReturnType<ProcessMark['wrap']> {
    return this.#processMark.wrap(program, args)
  }

  /** Ends the processes that a run has left; without a mark, those of an earlier process of this identity. */
  async endStrays(mark?: string): Promise<void> {
    if (mark === undefined) await this.#cgroups.endLeftovers()
    await this.#processMark.endAll(mark)
  }

  /** Starts to watch over a process group. The guard itself starts with the first. */
  add(group: number): void {
    if (this.#closed) return
    this.#groups.add(group)
    if (this.#guard) this.#tell(`+ ${group}`)
    else this.#start()
  }

  /** The group has ended by itself. */
  remove(group: number): void {
    this.#groups.delete(group)
    this.#tell(`- ${group}`)
  }

  /** Ends what is left, and the guard. */
  async close(): Promise<void> {
    this.#closed = true
    const guard = this.#guard
    if (guard && guard.exitCode === null && guard.signalCode === null) {
      const ended = new Promise<void>((resolve) => guard.once('exit', () => resolve()))
      guard.ref()
      guard.stdin?.end()
      await ended
    }
    this.#cgroups.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #start(): void {
    const guard = start(`${this.mark.name}=${this.mark.value}`, this.#processMark.own, this.#cgroups.folders)
    // If the guard was ended from outside, it is replaced when the next process starts.
    guard.once('exit', () => {
      if (!this.#closed && this.#guard === guard) this.#guard = undefined
    })
    this.#guard = guard
    for (const group of this.#groups) this.#tell(`+ ${group}`)
  }

  #tell(line: string): void {
    const input = this.#guard?.stdin
    if (input?.writable) input.write(`${line}\n`)
  }
}

function start(variable: string, digits: string, folders: readonly string[]): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'guard', variable, digits, ...folders], {
    detached: true,
    env: {},
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a guard, Pods still run. Only if this process is killed, some of their processes stay.
  guard.on('error', () => undefined)
  guard.stdin?.on('error', () => undefined)
  guard.unref()
  ;(guard.stdin as unknown as { unref?: () => void } | null)?.unref?.()
  return guard
}
