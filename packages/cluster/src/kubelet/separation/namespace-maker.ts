import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { HomeostatError, SystemClock } from '@homeostat/api'

/** The content of one mount namespace. */
export interface NamespaceMounts {
  /** The file that is mounted over the hosts file. Default: processes see the machine's own. */
  readonly hosts?: string | undefined
  /** A folder that is hidden, except for the kept paths. Default: none. */
  readonly hide?: string | undefined
  /** Folders below the hidden one that are seen. */
  readonly keep?: readonly string[] | undefined
  /** Files that are empty inside. */
  readonly empty?: readonly string[] | undefined
}

/** Namespaces that exist while they are open. */
export interface HeldNamespaces {
  /** Open files, in the order of the names that were asked for. */
  readonly files: readonly number[]
  /** Releases them, and ends the processes in a process namespace. */
  close(): void
}

export interface NamespaceMakerOptions {
  readonly sh: string
  readonly cat: string
  readonly mount: string
  readonly unshare: string
  /** How `unshare` makes the namespaces that all others begin from. */
  readonly template: readonly string[]
  /** Mounts that no process may write to. */
  readonly readOnly: readonly string[]
  /** Gives each a process namespace too, with its own `/proc` that has these options. */
  readonly processes: { readonly procOptions: string } | undefined
  /** Where the hosts file is seen. */
  readonly place: string
  /** Which namespaces are opened, by their names in `/proc/<pid>/ns`. */
  readonly namespaces: readonly string[]
}

/**
 * Makes mounts read-only, then reads lines. At each line `run` it starts the script in its third argument, with the lines
 * before as arguments.
 */
const LOOP = `
unshare=$1 sh=$2 script=$3 mount=$4 place=$5 cat=$6 flags=$7
shift 7
for path; do "$mount" -o remount,bind,ro -- "$path" 2>&1 || exit 1; done
set --
while IFS= read -r line; do
  if [ "$line" = run ]; then
    "$unshare" --mount --propagation slave $flags -- "$sh" -c "$script" sh "$mount" "$place" "$cat" "$@" <&3 2>&1 &
    echo "started $!"
    set --
    ( : )
  else set -- "$@" "$line"; fi
done
`

/**
 * Carries out its arguments: the first letter of each says what to mount. Then it waits for the end of the pipe from this
 * process. Until then it reaps processes that have lost their parents, as the first process of a process namespace must. It
 * enters a folder before it hides it, so that it still finds the parts of the folder that are kept.
 */
const MOUNT = `
mount=$1 place=$2 cat=$3
shift 3
for entry; do
  path=\${entry#?}
  case $entry in
    h*) "$mount" --bind -- "$path" "$place" ;;
    e*) "$mount" --bind -- /dev/null "$path" ;;
    t*) hidden=$path; cd -- "$path" && "$mount" -t tmpfs -o mode=755,size=256k,nosuid,nodev -- homeostat "$path" ;;
    k*) "$mount" -c --bind -o X-mount.mkdir -- ".$path" "$hidden$path" ;;
    p*) cd / && "$mount" -t proc -o "$path" -- proc /proc ;;
  esac || { echo failed; exit 1; }
done
cd /
"$cat" >/dev/null <&3 2>&1 &
echo mounted
wait $!
`

/** How long a namespace may take to be made, and how often its maker is looked at, in real time. */
const LONGEST = 30_000
const LOOK = 50
const machine = new SystemClock()

/**
 * Makes namespaces of Linux, one after the other, by a small shell that is started once: starting a program from this large
 * process takes longer than the work of the program. When this process ends in any way, the shell ends too, and so do all
 * processes in the process namespaces that it has made.
 */
export class NamespaceMaker {
  readonly #options: NamespaceMakerOptions
  readonly #shells: Shell[] = []
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: NamespaceMakerOptions) {
    this.#options = options
  }

  /** Fails with `NAMESPACE_NOT_MADE`. */
  make(mounts: NamespaceMounts): Promise<HeldNamespaces> {
    const made = this.#last.then(() => this.#make(mounts))
    this.#last = made.catch(() => undefined)
    return made
  }

  /** Ends the shells, and with them what runs in process namespaces. A shell is started again if it is needed. */
  close(): void {
    for (const shell of this.#shells.splice(0)) shell.end()
  }

  async #make(mounts: NamespaceMounts): Promise<HeldNamespaces> {
    const lines = entriesOf(mounts, this.#options.processes)
    const shell = this.#shell()
    const done = await shell.run(lines)
    if ('failure' in done) throw notMade(done.failure)
    const { holder } = done
    try {
      const files = openAll(this.#options.namespaces.map((name) => `/proc/${holder}/ns/${name}`))
      if (!this.#options.processes) kill(holder)
      return { files, close: () => closeAll(files, this.#options.processes ? holder : undefined) }
    } catch (error) {
      kill(holder)
      throw notMade(error instanceof Error ? error.message : String(error))
    }
  }

  #shell(): Shell {
    const last = this.#shells.at(-1)
    if (last?.usable) return last
    // Those before stay: namespaces that they have made are in use.
    const shell = new Shell(this.#options)
    this.#shells.push(shell)
    return shell
  }
}

/** Why a process cannot have its own namespaces. */
export function notMade(why: string): HomeostatError {
  return new HomeostatError('NAMESPACE_NOT_MADE', why)
}

function entriesOf(mounts: NamespaceMounts, processes: NamespaceMakerOptions['processes']): string[] {
  const { hosts, hide, keep = [], empty = [] } = mounts
  const entries = [
    ...(hosts === undefined ? [] : [`h${hosts}`]),
    ...empty.map((path) => `e${path}`),
    ...(hide === undefined ? [] : [`t${hide}`]),
    ...keep.map((path) => {
      if (hide === undefined || !path.startsWith(`${hide}/`)) throw notMade(`${path} is not below ${hide}`)
      return `k${path.slice(hide.length)}`
    }),
    ...(processes ? [`p${processes.procOptions}`] : []),
  ]
  if (entries.some((entry) => entry.includes('\n'))) throw notMade('a path has more than one line')
  return entries
}

type Done = { readonly holder: number } | { readonly failure: string }

/** The shell that makes namespaces. */
class Shell {
  readonly #child: ChildProcess
  /** Called for each line that the shell writes, and at its end. */
  #onLine: (line: string | undefined) => void = () => undefined
  usable = true

  constructor({ sh, cat, unshare, template, mount, place, readOnly, processes }: NamespaceMakerOptions) {
    const flags = processes ? '--pid --fork --kill-child' : ''
    const args = [...template, '--', sh, '-c', LOOP, 'sh', unshare, sh, MOUNT, mount, place, cat, flags]
    this.#child = spawn(unshare, [...args, ...readOnly], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      // Ctrl-C is for the cluster, which ends in order.
      detached: true,
    })
    const child = this.#child
    const end = (): void => {
      this.usable = false
      this.#onLine(undefined)
    }
    child.on('error', end)
    child.once('close', end)
    for (const stream of child.stdio) stream?.on('error', () => undefined)
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.#onLine(line))
    }
    this.#hold(false)
  }

  /** Creates a namespace; returns the process that has it. */
  async run(lines: readonly string[]): Promise<Done> {
    const said: string[] = []
    let holder: number | undefined
    this.#hold(true)
    try {
      return await new Promise<Done>((resolve) => {
        let mounted = false
        const settle = (done: Done): void => {
          timeout.cancel()
          timer.cancel()
          resolve(done)
        }
        const fail = (otherwise: string): void => settle({ failure: said[0] ?? otherwise })
        const timeout = machine.schedule(LONGEST, () => {
          this.usable = false
          if (holder !== undefined) kill(holder)
          fail('it took too long')
        })
        const look = (): void => {
          if (holder !== undefined && isGone(holder)) fail('its process has ended')
          else timer = machine.schedule(LOOK, look)
        }
        let timer = machine.schedule(LOOK, look)
        this.#onLine = (line) => {
          const started = /^started (\d+)$/.exec(line ?? '')?.[1]
          if (started !== undefined) holder = Number(started)
          else if (line === 'mounted') mounted = true
          else if (line === undefined || line === 'failed') fail('the shell that makes it has ended')
          else said.push(line)
          // The two come from two processes, in any order.
          if (mounted && holder !== undefined) settle({ holder })
        }
        if (this.usable) this.#child.stdin?.write(`${[...lines, 'run'].join('\n')}\n`)
        else this.#onLine(undefined)
      })
    } finally {
      this.#onLine = () => undefined
      this.#hold(false)
    }
  }

  end(): void {
    this.usable = false
    const { pid, stdio } = this.#child
    for (const stream of stdio) stream?.destroy()
    // Ends a maker that hangs as well, with the processes that it has started.
    if (pid !== undefined) kill(-pid)
  }

  /** While it waits for work it does not keep this process from ending. */
  #hold(wanted: boolean): void {
    const handles = [this.#child, ...(this.#child.stdio as unknown as (Socket | null)[])]
    for (const handle of handles) {
      if (wanted) handle?.ref()
      else handle?.unref()
    }
  }
}

function isGone(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

function openAll(paths: readonly string[]): number[] {
  const held: number[] = []
  try {
    for (const path of paths) held.push(openSync(path, 'r'))
    return held
  } catch (error) {
    closeAll(held, undefined)
    throw error
  }
}

function closeAll(files: number[], holder: number | undefined): void {
  if (files.length > 0 && holder !== undefined) kill(holder)
  for (const number of files.splice(0)) closeSync(number)
}
