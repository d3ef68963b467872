import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../images/index.ts'
import { NamespaceMaker, notMade, type NamespaceMounts } from './namespace-maker.ts'

/** How processes of a Pod are started in its namespaces. */
export interface PodNamespace {
  /** Whether a process that starts now would see the right files and names. */
  readonly valid: boolean
  /** The command that starts a program in the folder and in the namespaces. The program's own processes stay in the namespaces. */
  enter(program: string, args: readonly string[], folder: string): Command
  /** From now on, no process starts in the namespaces. Where processes are separated, those inside end. */
  close(): void
}

/** The view of one Pod's processes. */
export interface ProcessView {
  /** Their own hosts file. Default: the machine's. */
  readonly hosts?: string | undefined
  /** Folders below the cluster's folder that they see. The rest of the cluster's folder is hidden. */
  readonly folders?: readonly string[] | undefined
}

export interface PodNamespacesOptions {
  /** The cluster's folder: objects, keys, and the folders of all Pods. Default: none is hidden. */
  readonly folder?: string | undefined
  /** Other files that no process of a Pod may read. They need not be there yet. Default: none. */
  readonly secrets?: readonly string[] | undefined
  /** Separates processes from the machine and from other Pods. Default: true. */
  readonly separate?: boolean | undefined
  /** Where processes see their hosts file. Default: `/etc/hosts`. */
  readonly place?: string | undefined
}

interface Command {
  readonly program: string
  readonly args: readonly string[]
  /** Whether the program runs as a child of the started process. That process ends with the same result as the program. */
  readonly asChild?: boolean | undefined
}

/** How namespaces are made and entered here. */
interface Ways {
  readonly maker: NamespaceMaker
  readonly separate: boolean
  enter(files: readonly number[], program: string, args: readonly string[], folder: string): Command
}

const HOSTS = '/etc/hosts'
/** A name that no server knows, and that all refuse at once. */
const PROBE = 'homeostat.invalid'
/** The time limit of the attempt. */
const LONGEST = 30_000
/**
 * The capabilities that processes of root keep: to change users and files, and to listen on ports below 1024. Without
 * the others they can neither leave their namespaces nor look into other processes, open files by their numbers, or
 * read the network.
 */
const CAPABILITIES =
  'chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,sys_chroot,audit_write,setfcap'

/**
 * Starts the processes of a Pod in namespaces of Linux. In its mount namespace a Pod sees its own hosts file
 * and its own folder, and nothing else of the cluster's folder. In its process namespace it sees and signals
 * only its own processes. They all end with the Pod, and with this process, even if it is killed. Root needs
 * nothing else, and its processes lose the capabilities that would lead out. Other users need a user
 * namespace in which they may mount; the Pod's processes run in a further user namespace below it, as the
 * same user and without capabilities. Files that this process holds open keep the namespaces alive, so that
 * none is left when it ends. If the system refuses the separation, only the hosts file is tried.
 */
export class PodNamespaces implements AsyncDisposable {
  readonly #options: PodNamespacesOptions
  readonly #place: string
  #ways: Promise<Ways | undefined> | undefined
  #separationProblem: string | undefined
  #namesProblem: string | undefined

  constructor(options: PodNamespacesOptions = {}) {
    this.#options = options
    this.#place = options.place ?? HOSTS
  }

  /** Why processes do not see their own hosts files here, as the end of a sentence. It is tried once. */
  async namesProblem(): Promise<string | undefined> {
    await this.#tried()
    return this.#namesProblem
  }

  /** Why processes see the cluster's files and each other here, as the end of a sentence. It is tried once. */
  async separationProblem(): Promise<string | undefined> {
    await this.#tried()
    return this.#separationProblem
  }

  /** Makes the namespaces of a Pod; `undefined` where this system has none. Fails with `NAMESPACE_NOT_MADE`. */
  async make(view: ProcessView): Promise<PodNamespace | undefined> {
    const ways = await this.#tried()
    return ways && this.#make(ways, view)
  }

  /** Ends the processes in all namespaces. */
  close(): Promise<void> {
    return Promise.resolve(this.#ways?.then((ways) => ways?.maker.close()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #tried(): Promise<Ways | undefined> {
    this.#ways ??= this.#try()
    return this.#ways
  }

  async #try(): Promise<Ways | undefined> {
    if (process.platform !== 'linux') {
      this.#separationProblem = 'only Linux has namespaces'
      this.#namesProblem = 'only Linux can give a process its own view of files'
      return undefined
    }
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'homeostat-try-')))
    try {
      if (this.#options.separate !== false) {
        const separated = await this.#tryWays(folder, true)
        if (typeof separated !== 'string') return separated
        this.#separationProblem = separated
      } else this.#separationProblem = 'separation is false'
      const named = await this.#tryWays(folder, false)
      if (typeof named !== 'string') return named
      this.#namesProblem = named
      return undefined
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** The ways, or why they do not work. */
  async #tryWays(folder: string, separate: boolean): Promise<Ways | string> {
    let ways: Ways | undefined
    try {
      ways = findWays(this.#place, separate)
      const problem = await this.#look(ways, folder)
      if (problem === undefined) return ways
      ways.maker.close()
      return problem
    } catch (error) {
      ways?.maker.close()
      return error instanceof Error ? error.message : String(error)
    }
  }

  /** Whether a process sees what it should, and whether the system looks for names there. */
  async #look(ways: Ways, folder: string): Promise<string | undefined> {
    const [hosts, own, other] = [join(folder, 'hosts'), join(folder, 'own'), join(folder, 'other')]
    for (const path of [own, other]) await mkdir(path, { recursive: true })
    await writeFile(hosts, `127.0.0.1\t${PROBE}\n`)
    const hide = ways.separate ? { hide: folder, keep: [own] } : {}
    const held = await ways.maker.make({ hosts, ...hide })
    const enter = (name: string, args: readonly string[]): Command =>
      ways.enter(held.files, found(name), args, own)
    try {
      const seen = await run(enter('cat', [this.#place]))
      if (!seen.output.includes(PROBE)) return `a process did not see its own ${HOSTS}${because(seen.errors)}`
      if (ways.separate) {
        const listed = await run(enter('ls', [folder, '/proc/1/root/']))
        if (/^(?:other|hosts)$/m.test(listed.output) || !/^own$/m.test(listed.output)) {
          return `a process saw the files of others${because(listed.errors)}`
        }
        const ended = await run(enter('sh', ['-c', 'kill -KILL $$']))
        if (ended.signal !== 'SIGKILL') return 'the end of a process was not reported: util-linux is too old'
      }
      if (findProgram('getent', '/') === undefined || this.#place !== HOSTS) return undefined
      const { output } = await run(enter('getent', ['hosts', PROBE]))
      if (!output.includes(PROBE)) {
        this.#namesProblem = `this system does not look for names in ${HOSTS} first: put files first for hosts in /etc/nsswitch.conf, and stop nscd`
      }
      return undefined
    } finally {
      held.close()
    }
  }

  async #make(ways: Ways, { hosts, folders = [] }: ProcessView): Promise<PodNamespace> {
    const { folder, secrets = [] } = this.#options
    const covered = (): string => [...(hosts ? [this.#place] : []), ...secrets].map(identityOf).join()
    const before = covered()
    const mounts: NamespaceMounts = ways.separate
      ? {
          hosts,
          hide: folder,
          keep: keptFolders(folders, folder),
          empty: secrets.filter((path) => isFileOutside(path, folder)),
        }
      : { hosts }
    const held = await ways.maker.make(mounts)
    return {
      get valid() {
        return covered() === before
      },
      enter: (program, args, at) =>
        held.files.length === 0 ? { program, args } : ways.enter(held.files, program, args, at),
      close: () => held.close(),
    }
  }
}

function findWays(place: string, separate: boolean): Ways {
  const [unshare, nsenter, mount, sh] = [found('unshare'), found('nsenter'), found('mount'), found('sh')]
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const isRoot = uid === 0
  const setpriv = separate && isRoot ? found('setpriv') : ''
  // In its own group, so that signals reach it and not the process that waits for it.
  const session = separate ? [found('setsid'), '--'] : []
  // Mounts of the machine propagate in, and none propagate out.
  const template = [...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', '--propagation', 'slave']
  const kinds = ['mount', ...(separate ? ['pid'] : []), ...(isRoot ? [] : ['user'])]
  const files = { mount: 'mnt', pid: 'pid_for_children', user: 'user' } as Record<string, string>
  const maker = new NamespaceMaker({
    sh,
    cat: found('cat'),
    mount,
    unshare,
    place,
    template,
    readOnly: separate ? readOnlyMounts(isRoot) : [],
    // The settings of the kernel are files of root's there.
    processes: separate ? { procOptions: `nosuid,nodev,noexec${isRoot ? ',ro' : ''}` } : undefined,
    namespaces: kinds.map((kind) => files[kind] ?? kind),
  })
  const as = isRoot ? [] : ['--user', `--map-user=${uid}`, `--map-group=${gid}`]
  const less = setpriv
    ? [setpriv, `--bounding-set=-all,+${CAPABILITIES.replaceAll(',', ',+')}`, '--inh-caps=-all', '--']
    : []
  return {
    maker,
    separate,
    enter: (held, program, args, folder) => {
      const into = kinds.map((kind, index) => `--${kind}=/proc/${process.pid}/fd/${held[index]}`)
      if (!isRoot) into.push('--preserve-credentials')
      const command = [...session, unshare, ...as, `--wd=${folder}`, '--', ...less, program, ...args]
      return { program: nsenter, args: [...into, '--', ...command], asChild: separate }
    },
  }
}

/** Mounts by which a process could change its own limits or, as root, the machine. */
function readOnlyMounts(isRoot: boolean): string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  const cgroups = mounts.flatMap((line) => {
    const [, place, type] = /^\S+ \S+ \S+ \S+ (\S+) .* - (\S+) /.exec(line) ?? []
    return place !== undefined && type !== undefined && /^cgroup2?$/.test(type) ? [unescaped(place)] : []
  })
  const system = isRoot && mounts.some((line) => line.includes(' /sys ')) ? ['/sys'] : []
  return [...new Set([...cgroups, ...system])]
}

function unescaped(path: string): string {
  return path.replaceAll(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}

/** The identity of the file at a path. An editor that replaces a file removes the mount over it. */
function identityOf(place: string): string {
  const stats = statSync(place, { throwIfNoEntry: false })
  return stats ? `${stats.dev} ${stats.ino}` : ''
}

/** The folders that would be hidden with the cluster's folder, each once: a folder within another one is kept with it. */
function keptFolders(folders: readonly string[], hidden: string | undefined): string[] {
  const within = (path: string, outer: string): boolean => path.startsWith(`${outer}/`)
  const below = [...new Set(folders)].filter((path) => hidden !== undefined && within(path, hidden))
  return below.filter((path) => !below.some((other) => within(path, other)))
}

function isFileOutside(path: string, folder: string | undefined): boolean {
  if (folder !== undefined && path.startsWith(`${folder}/`)) return false
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function found(name: string): string {
  const program = findProgram(name, '/')
  if (program === undefined) throw notMade(`this machine has no ${name}: install util-linux`)
  return program
}

interface Ended {
  readonly output: string
  readonly errors: string
  readonly signal: NodeJS.Signals | null
}

function run({ program, args }: Command): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: LONGEST, killSignal: 'SIGKILL' } as const
    const child = spawn(program, args, { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'pipe'], ...limits })
    let [output, errors] = ['', '']
    child.stdout.on('data', (data: Buffer) => (output += data.toString()))
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
    child.once('error', reject)
    child.once('close', (_, signal) => resolve({ output, errors, signal }))
  })
}

function because(errors: string): string {
  const line = errors.trim().split('\n')[0]
  return line ? ` (${line})` : ''
}
