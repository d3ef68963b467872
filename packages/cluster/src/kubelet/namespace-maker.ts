import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { HomeostatError } from '@homeostat/api'
import { atMost } from '../network/hold-clock.ts'

/** Runs its arguments and a line of its input, again and again; says when that has ended, and passes on what it says. */
const LOOP = 'while IFS= read -r file; do "$@" "$file" 2>&1; echo ended; done'

/** Mounts its third argument over its second by means of its first, says who it is, and waits for a line. */
const MOUNT = '"$1" --bind -- "$3" "$2" && echo "mounted $$" && read -r nothing'

/** What takes longer, in real time, will not be done. */
const PATIENCE = 30_000

export interface NamespaceMakerOptions {
  readonly sh: string
  readonly mount: string
  /** The command that runs the rest of its arguments in namespaces of their own. */
  readonly unshare: readonly string[]
  /** What each file is mounted over. */
  readonly place: string
  /** Which namespaces are opened, by their names in `/proc/<pid>/ns`. */
  readonly namespaces: readonly string[]
}

/**
 * Makes mount namespaces, one after the other. A small shell does it, started once: this process is large, and to start
 * programs from it takes longer than all that they do. The shell ends with this process, however that ends.
 */
export class NamespaceMaker {
  readonly #options: NamespaceMakerOptions
  #shell: Shell | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: NamespaceMakerOptions) {
    this.#options = options
  }

  /** The namespaces in which the file is mounted: open files that hold them. Fails with `HOSTS_NOT_MOUNTED`. */
  make(file: string): Promise<number[]> {
    const made = this.#last.then(() => this.#make(file))
    this.#last = made.catch(() => undefined)
    return made
  }

  /** Ends the shell. It is started again if it is needed. */
  close(): void {
    this.#shell?.end()
    this.#shell = undefined
  }

  async #make(file: string): Promise<number[]> {
    if (file.includes('\n')) throw notMounted('its path has more than one line')
    this.#shell ??= startShell(this.#options)
    const shell = this.#shell
    const said: string[] = []
    let held: number[] | undefined
    const heard = (line: string): void => {
      const pid = /^mounted (\d+)$/.exec(line)?.[1]
      if (pid === undefined) said.push(line)
      else {
        try {
          held = openAll(this.#options.namespaces.map((name) => `/proc/${pid}/ns/${name}`))
        } catch (error) {
          said.push(error instanceof Error ? error.message : String(error))
        }
        shell.write('\n')
      }
    }
    const ended = await atMost(shell.run(file, heard), PATIENCE)
    if (ended !== true) this.close()
    if (held) return held
    const why = said.find((line) => line !== '') ?? (ended === undefined ? 'it took too long' : '')
    throw notMounted(`a mount namespace could not be made${why === '' ? '' : ` (${why})`}`)
  }
}

/** Says why a hosts file cannot be shown to a process. */
export function notMounted(message: string): HomeostatError {
  return new HomeostatError('HOSTS_NOT_MOUNTED', message)
}

interface Shell {
  write(text: string): void
  /** Gives the line to the loop; resolves with whether that has come to its end, or the shell is gone. */
  run(line: string, heard: (line: string) => void): Promise<boolean>
  end(): void
}

function startShell({ sh, mount, unshare, place }: NamespaceMakerOptions): Shell {
  const inside = [...unshare, sh, '-c', MOUNT, 'sh', mount, place]
  const child = spawn(sh, ['-c', LOOP, 'sh', ...inside], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    // Ctrl-C is for the cluster, which ends in order.
    detached: true,
  })
  let heard: (line: string) => void = () => undefined
  let ended: (whole: boolean) => void = () => undefined
  child.on('error', () => ended(false))
  child.once('close', () => ended(false))
  child.stdin.on('error', () => undefined)
  createInterface({ input: child.stdout }).on('line', (line) =>
    line === 'ended' ? ended(true) : heard(line),
  )
  // While it waits for work it keeps nobody from ending.
  const handles = [child, child.stdin as unknown as Socket, child.stdout as unknown as Socket]
  return {
    write: (text) => void child.stdin.write(text),
    run: async (line, listener) => {
      for (const handle of handles) handle.ref()
      heard = listener
      const done = new Promise<boolean>((resolve) => (ended = resolve))
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) ended(false)
      else child.stdin.write(`${line}\n`)
      try {
        return await done
      } finally {
        for (const handle of handles) handle.unref()
      }
    },
    end: () => {
      child.stdin.end()
      // Also one that hangs, with what it has started.
      if (child.pid !== undefined) endGroup(child.pid)
    },
  }
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
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
    for (const number of held) closeSync(number)
    throw error
  }
}
