import type { Clock } from '@homeostat/api'
import { type FolderFiles, type Connection, isShellCommand, runShell } from '@homeostat/shell'
import { argvOf, type Image } from '../../images/index.ts'
import type { AttachOptions } from '../streams/index.ts'
import { runProcess } from './process-run.ts'
import { exitWith, startError, type Exit, type Run } from './run.ts'
import type { Cgroup, PodNamespace, ProcessGuard } from '../separation/index.ts'

/** A command to run beside a container's own, with its streams. Its signal ends it. */
export interface ExecOptions extends AttachOptions {
  readonly command: readonly string[]
}

/** Where commands of a container run. */
export interface ContainerPlace {
  /** The Pod's uid. */
  readonly podUid: string
  readonly image: Image
  /** The variables that the Pod declares. */
  readonly env: Readonly<Record<string, string>>
  readonly files: FolderFiles
  /** Whether the files were opened yet: before that, the container cannot have written any. */
  hasFiles(): boolean
  /** A path in the container. */
  readonly workingDirectory: string
  readonly hostname: string
  connect(host: string, port: number): Promise<Connection>
  /** For processes: the whole environment, the folder on this machine, what they see, and what limits them. */
  readonly process: {
    readonly env: Readonly<Record<string, string>>
    readonly folder: string
    readonly namespace?: PodNamespace | undefined
    readonly cgroup?: Cgroup | undefined
  }
  /** The container's own run. */
  readonly main: Run
  readonly clock: Clock
  readonly guard: ProcessGuard
}

/** The variables of every shell. */
const SHELL_VARIABLES = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
}

/**
 * Runs a command in a container. The shell and its companions are this process's own and work in every
 * container; other commands run only where the image's mapping allows them, as processes of this machine.
 */
export async function execIn(place: ContainerPlace, options: ExecOptions): Promise<Exit> {
  const [name, ...args] = options.command
  if (name === undefined) return startError('a command must be specified for the container')
  if (isShellCommand(name)) return shell(place, [name, ...args], options)
  if ('module' in place.image)
    return startError(`exec: ${JSON.stringify(name)}: executable file not found in $PATH`)
  const argv = argvOf(place.image, { command: options.command, args: [] })
  if ('refused' in argv) return startError(argv.refused)
  const { stdin, stdout, stderr, signal } = options
  if (signal.aborted) return exitWith(SIGKILL_EXIT)
  const { clock, guard } = place
  const run = runProcess({
    ...place.process,
    // The container's own run ends the control group.
    endsCgroup: false,
    argv: argv.argv,
    stdin,
    stdout,
    stderr,
    clock,
    guard,
  })
  const end = (): void => run.kill()
  signal.addEventListener('abort', end, { once: true })
  const exit = await run.exited
  signal.removeEventListener('abort', end)
  return exit
}

const SIGKILL_EXIT = 137

async function shell(
  place: ContainerPlace,
  argv: readonly [string, ...string[]],
  { stdin, stdout, stderr, terminal, signal }: ExecOptions,
): Promise<Exit> {
  const { files, workingDirectory, hostname, clock, main } = place
  const term: Record<string, string> = terminal ? { TERM: 'xterm' } : {}
  const code = await runShell({
    limitGroup: place.podUid,
    argv,
    env: { ...SHELL_VARIABLES, HOSTNAME: hostname, ...term, ...place.env },
    workingDirectory,
    files,
    stdin,
    stdout,
    stderr,
    terminal,
    hostname,
    connect: (host, port) => place.connect(host, port),
    signal,
    killed: signal,
    init: { kill: (number) => (number === 9 ? main.kill() : number === 15 ? main.terminate() : undefined) },
    clock,
  })
  return exitWith(code)
}
