import { FileError, type FileStat } from '../files/index.ts'
import { AppletContext, AppletFailure, applets, type Applet, type Spawn } from '../applets/index.ts'
import { programBuiltins } from '../builtins/index.ts'
import { OpenFile } from '../process/descriptors.ts'
import { BrokenPipe, Killed, unlessAborted } from '../process/killed.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import { decodeText } from '../text/text.ts'
import type { Interpreter } from '../state/interpreter.ts'
import { Shell, type Programs } from './shell.ts'
import { runShellProgram, SHELL_NAMES } from './shell-program.ts'

const NOT_FOUND = 127
const NOT_ALLOWED = 126
const SIGPIPE_STATUS = 141
const FOLDERS = ['/bin/', '/usr/bin/', '/sbin/', '/usr/sbin/', '/usr/local/bin/']
/** How much of a file is read to find its interpreter, in bytes. */
const FIRST_LINE = 256

/** The programs that every container has: the shell and the applets, and scripts among its files. */
export const programs: Programs = { find, start }

/** Whether a command is the shell or one of the applets, by its name or by its path in an image. */
export function isShellCommand(name: string): boolean {
  const base = bundledName(name)
  return SHELL_NAMES.has(base) || base === 'busybox' || applets.has(base) || programBuiltins.has(base)
}

function bundledName(name: string): string {
  const folder = FOLDERS.find((folder) => name.startsWith(folder))
  return folder === undefined ? name : name.slice(folder.length)
}

function find(name: string, shell: Interpreter): string | undefined {
  if (name.includes('/')) {
    const stat = statOf(name, shell)
    if (stat?.kind === 'file' && (stat.mode & 0o111) !== 0) return name
    return isShellCommand(name) ? name : undefined
  }
  const script = scriptOnPath(name, shell)
  if (script !== undefined) return script
  return isShellCommand(name) ? `/bin/${name}` : undefined
}

async function start(
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  shell: Interpreter,
  replace: boolean,
): Promise<number> {
  const [name] = argv
  const path = name.includes('/') ? name : scriptOnPath(name, shell)
  const stat = path === undefined ? undefined : statOf(path, shell)
  if (path !== undefined && stat) return startScript(path, stat, argv, env, shell, replace)
  return startBundled(bundledName(name), argv, env, shell, replace)
}

async function startBundled(
  name: string,
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  shell: Interpreter,
  replace: boolean,
): Promise<number> {
  if (name === 'busybox') {
    const [, inner, ...rest] = argv
    if (inner === undefined) {
      await shell.complain(`busybox: ${[...applets.keys()].join(', ')}`)
      return 0
    }
    return startBundled(inner, [inner, ...rest], env, shell, replace)
  }
  if (SHELL_NAMES.has(name)) return startShell(argv, env, shell, replace)
  const applet = applets.get(name)
  if (applet) return startApplet(applet, name, argv, env, shell)
  if (programBuiltins.has(name)) return shell.run([name, ...argv.slice(1)], { functions: false })
  await shell.complain(`${argv[0]}: not found`)
  return NOT_FOUND
}

async function startApplet(
  applet: Applet,
  name: string,
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  shell: Interpreter,
): Promise<number> {
  const process = shell.system.start(argv.join(' ').slice(0, 1_000), shell.process.pid)
  const descriptors = shell.descriptors.clone()
  const context = new AppletContext({
    name,
    args: argv.slice(1),
    env,
    directory: shell.directory,
    system: shell.system,
    process,
    descriptors,
    spawn: spawnFrom(shell, env),
    find: (name) => shell.find(name),
  })
  const ended = runApplet(applet, context).finally(() => {
    descriptors[Symbol.dispose]()
    context.release()
    shell.system.end(process)
  })
  return unlessAborted(ended, shell.process.signal)
}

/** The exit code of an applet, however it ends. */
async function runApplet(applet: Applet, context: AppletContext): Promise<number> {
  try {
    const status = await applet(context)
    await context.flush()
    return status
  } catch (error) {
    if (error instanceof Killed) return error.status
    if (error instanceof BrokenPipe) return SIGPIPE_STATUS
    try {
      const message = messageOf(error)
      if (message !== '') await context.complain(message)
    } catch {
      // Standard error is closed: the message is dropped.
    }
    return error instanceof AppletFailure ? error.status : 1
  }
}

function messageOf(error: unknown): string {
  if (error instanceof FileError) return error.message
  return error instanceof Error ? error.message : String(error)
}

/** How an applet such as `xargs` runs another program: in a copy of the shell that started it. */
function spawnFrom(shell: Interpreter, env: Readonly<Record<string, string>>): Spawn {
  return (argv, options = {}) => {
    const copy = shell.fork(argv.join(' ').slice(0, 1_000))
    if (options.input) copy.descriptors.set(0, new OpenFile({ input: options.input }))
    return copy.finish(async (subshell) => {
      await subshell.checkpoint()
      return subshell.start(argv, options.env ?? env)
    })
  }
}

function startShell(
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  shell: Interpreter,
  replace: boolean,
): Promise<number> {
  const process = replace
    ? shell.process
    : shell.system.start(argv.join(' ').slice(0, 1_000), shell.process.pid)
  const ended = runShellProgram(
    argv,
    env,
    shell.descriptors.get(0)?.input?.isTerminal === true,
    (options) =>
      new Shell({
        system: shell.system,
        process,
        descriptors: shell.descriptors.clone(),
        programs,
        directory: shell.directory,
        ...options,
      }),
  )
  return unlessAborted(ended, shell.process.signal)
}

/** Runs a file: a script for the shell, since there is no other interpreter here. */
async function startScript(
  path: string,
  stat: FileStat,
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  shell: Interpreter,
  replace: boolean,
): Promise<number> {
  if (stat.kind !== 'file' || (stat.mode & 0o111) === 0) {
    await shell.complain(`${argv[0]}: Permission denied`)
    return NOT_ALLOWED
  }
  const interpreter = interpreterOf(path, shell)
  if (interpreter === undefined) {
    await shell.complain(`${argv[0]}: not found`)
    return NOT_FOUND
  }
  return startBundled(
    bundledName(interpreter[0]),
    [...interpreter, path, ...argv.slice(1)],
    env,
    shell,
    replace,
  )
}

/**
 * The interpreter in the first line of a script; undefined where there is no such program here. Without such a line
 * it is the shell.
 */
function interpreterOf(path: string, shell: Interpreter): [string, ...string[]] | undefined {
  let first: string
  try {
    using file = shell.files.open(absolute(path, shell))
    first = decodeText(file.read(FIRST_LINE)).split('\n', 1)[0] ?? ''
  } catch (error) {
    throw new ShellFailure(messageOf(error), { status: NOT_ALLOWED, fatal: false })
  }
  if (!first.startsWith('#!')) return ['sh']
  const words = first.slice(2).trim().split(/\s+/)
  const [name, ...args] = bundledName(words[0] ?? '') === 'env' ? words.slice(1) : words
  return name !== undefined && isShellCommand(name) ? [name, ...args] : undefined
}

function scriptOnPath(name: string, shell: Interpreter): string | undefined {
  if (name === '' || name.includes('/')) return undefined
  const folders = (shell.get('PATH') ?? '').split(':').filter((folder) => folder.startsWith('/'))
  return folders
    .map((folder) => `${folder}/${name}`)
    .find((path) => {
      const stat = statOf(path, shell)
      return stat?.kind === 'file' && (stat.mode & 0o111) !== 0
    })
}

function statOf(path: string, shell: Interpreter): FileStat | undefined {
  try {
    return shell.files.stat(absolute(path, shell))
  } catch {
    return undefined
  }
}

function absolute(path: string, shell: Interpreter): string {
  return path.startsWith('/') ? path : `${shell.directory}/${path}`
}
