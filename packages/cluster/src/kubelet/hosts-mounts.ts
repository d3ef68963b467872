import { spawn } from 'node:child_process'
import { closeSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './find-program.ts'
import { NamespaceMaker, notMounted } from './namespace-maker.ts'

/** A way for processes to see a hosts file of their own as `/etc/hosts`. */
export interface HostsMount {
  /** Whether processes that start now would see the file. */
  readonly valid: boolean
  /** The command that starts the program in the folder so that it, and all that it starts, see the file. */
  enter(program: string, args: readonly string[], folder: string): Command
  /** From now on processes start without; those that have entered stay. */
  close(): void
}

interface Command {
  readonly program: string
  readonly args: readonly string[]
}

/** How namespaces are made and entered here. */
interface Ways {
  readonly maker: NamespaceMaker
  enter(held: readonly number[], program: string, args: readonly string[], folder: string): Command
}

const HOSTS = '/etc/hosts'
/** A name that no server knows, and that all refuse at once. */
const PROBE = 'homeostat.invalid'
/** What takes longer to be tried will not work. */
const PATIENCE = 30_000

/**
 * Shows processes a hosts file of their own, by mount namespaces of Linux: in each the file is mounted over `/etc/hosts`.
 * The machine sees nothing of that, and what it mounts or unmounts itself goes on to be seen inside. Root needs nothing
 * else for it. Anybody else needs a user namespace, in which that user may mount; processes are then one namespace further
 * in, where they are who they were, without any capability.
 *
 * A namespace is held by files that this process has open, so that none is left however it ends. Processes enter by programs that
 * replace themselves by the next, so that the number of the process, its input and output and its end are its own.
 */
export class HostsMounts implements AsyncDisposable {
  readonly #place: string
  #ways: Ways | undefined
  #problem: Promise<string | undefined> | undefined

  /** `place` is where processes see the file. */
  constructor(place: string = HOSTS) {
    this.#place = place
  }

  /** Why it is not possible here, in words that end a sentence. It is tried once. */
  problem(): Promise<string | undefined> {
    this.#problem ??= this.#try().catch((error: unknown) => textOf(error))
    return this.#problem
  }

  /** Makes the namespace for a file. Fails with `HOSTS_NOT_MOUNTED` where that is not possible. */
  async mount(file: string): Promise<HostsMount> {
    const problem = await this.problem()
    if (problem !== undefined) throw notMounted(problem)
    return this.#mount(file)
  }

  async #try(): Promise<string | undefined> {
    if (process.platform !== 'linux') return 'only Linux can show a process files of its own'
    const folder = await mkdtemp(join(tmpdir(), 'homeostat-hosts-'))
    try {
      const file = join(folder, 'hosts')
      await writeFile(file, `127.0.0.1\t${PROBE}\n`)
      const mount = await this.#mount(file)
      try {
        return await this.#look(mount, folder)
      } finally {
        mount.close()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Whether a process sees the file, and whether the system looks for names there. */
  async #look(mount: HostsMount, folder: string): Promise<string | undefined> {
    const seen = await run(mount.enter(found('cat'), [this.#place], folder))
    if (!seen.output.includes(PROBE)) return `a process did not see its own ${HOSTS}${because(seen.errors)}`
    const getent = findProgram('getent', '/')
    if (getent === undefined || this.#place !== HOSTS) return undefined
    const { output } = await run(mount.enter(getent, ['hosts', PROBE], folder))
    if (output.includes(PROBE)) return undefined
    return `this system does not look for names in ${HOSTS} first: put files first for hosts in /etc/nsswitch.conf, and do without nscd`
  }

  /** What is mounted stays for whoever has it. */
  close(): Promise<void> {
    this.#ways?.maker.close()
    return Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #mount(file: string): Promise<HostsMount> {
    this.#ways ??= findWays(this.#place)
    const ways = this.#ways
    const place = this.#place
    const covered = identityOf(place)
    const held = await ways.maker.make(file)
    return {
      get valid() {
        return identityOf(place) === covered
      },
      enter: (program, args, folder) =>
        held.length === 0 ? { program, args } : ways.enter(held, program, args, folder),
      close: () => {
        for (const number of held.splice(0)) closeSync(number)
      },
    }
  }
}

function findWays(place: string): Ways {
  const [unshare, nsenter, mount, sh] = [found('unshare'), found('nsenter'), found('mount'), found('sh')]
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const isRoot = uid === 0
  // What the machine mounts comes in, and nothing goes out.
  const own = [...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', '--propagation', 'slave', '--']
  const namespaces = isRoot ? ['mnt'] : ['mnt', 'user']
  const as = isRoot ? [] : ['--user', `--map-user=${uid}`, `--map-group=${gid}`]
  return {
    maker: new NamespaceMaker({ sh, mount, unshare: [unshare, ...own], place, namespaces }),
    enter: (held, program, args, folder) => {
      const [mounts, user] = held.map((number) => `/proc/${process.pid}/fd/${number}`)
      const into = [`--mount=${mounts}`, ...(isRoot ? [] : [`--user=${user}`, '--preserve-credentials'])]
      const command = [unshare, ...as, `--wd=${folder}`, '--', program, ...args]
      return { program: nsenter, args: [...into, '--', ...command] }
    },
  }
}

/** Another file in the place of the machine's own, which editors leave, takes what was mounted over it away. */
function identityOf(place: string): string {
  const stats = statSync(place, { throwIfNoEntry: false })
  return stats ? `${stats.dev} ${stats.ino}` : ''
}

function found(name: string): string {
  const program = findProgram(name, '/')
  if (program === undefined) throw notMounted(`there is no ${name} here: install util-linux`)
  return program
}

function run({ program, args }: Command): Promise<{ readonly output: string; readonly errors: string }> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: PATIENCE, killSignal: 'SIGKILL' } as const
    const child = spawn(program, args, { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'pipe'], ...limits })
    let [output, errors] = ['', '']
    child.stdout.on('data', (data: Buffer) => (output += data.toString()))
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
    child.once('error', reject)
    child.once('close', () => resolve({ output, errors }))
  })
}

function because(errors: string): string {
  const line = errors.trim().split('\n')[0]
  return line ? ` (${line})` : ''
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
