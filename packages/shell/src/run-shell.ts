import { trimmedPath } from './files/index.ts'
import { Interrupted } from './state/flow.ts'
import { programs } from './interpreter/programs.ts'
import { Shell } from './interpreter/shell.ts'
import { Descriptors, OpenFile } from './process/descriptors.ts'
import { NoInput } from './process/input.ts'
import { OutsideInput, OutsideOutput } from './process/outside.ts'
import type { ShellProcess } from './process/process.ts'
import { System } from './process/system.ts'
import { ShellFailure } from './process/shell-failure.ts'
import type { ShellRun } from './host/shell-run.ts'
import { TerminalDevice } from './terminal/terminal-device.ts'

const SIGINT = 2
const NOT_ALLOWED = 126
/** How much of a command `ps` shows. */
const LONGEST_TITLE = 1_000
const SIGKILL = 9
const SIGTERM = 15

/**
 * Runs the shell or one of its commands to its end, and returns the exit code: 127 where the command is not found,
 * 126 where it is not allowed, 128 and the number for a signal. When it resolves, nothing of the run is left.
 */
export async function runShell(run: ShellRun): Promise<number> {
  using system = new System(run)
  let main: ShellProcess
  try {
    main = system.start(run.argv.join(' ').slice(0, LONGEST_TITLE), 0)
  } catch (error) {
    if (!(error instanceof ShellFailure)) throw error
    run.stderr.write(`sh: ${error.message}\n`)
    return NOT_ALLOWED
  }
  const terminal = run.terminal && run.stdin && new TerminalDevice(run, system, new Interrupted())
  using descriptors = new Descriptors()
  const output = terminal?.output ?? new OutsideOutput(run.stdout)
  const input = terminal?.input ?? (run.stdin ? new OutsideInput(run.stdin) : new NoInput())
  descriptors.set(0, new OpenFile({ input, ...(terminal ? { output } : {}) }))
  descriptors.set(1, new OpenFile({ output }))
  descriptors.set(2, new OpenFile({ output: terminal ? output : new OutsideOutput(run.stderr) }))
  const terminate = (): void => main.kill(SIGTERM)
  const kill = (): void => {
    for (const process of system.processes) process.kill(SIGKILL)
  }
  if (run.killed?.aborted) kill()
  else if (run.signal.aborted) terminate()
  run.signal.addEventListener('abort', terminate, { once: true })
  run.killed?.addEventListener('abort', kill, { once: true })
  terminal?.onInterrupt(() => {
    for (const process of system.processes) if (!process.background) process.kill(SIGINT)
  })
  try {
    const directory = isFolder(run) ? trimmedPath(run.workingDirectory) : '/'
    const shell = new Shell({ system, process: main, descriptors, programs, name: 'sh', directory })
    return await shell.finish(() => shell.start(run.argv, run.env, { replace: true }))
  } finally {
    run.signal.removeEventListener('abort', terminate)
    run.killed?.removeEventListener('abort', kill)
    terminal?.close()
    kill()
  }
}

function isFolder({ files, workingDirectory }: ShellRun): boolean {
  try {
    return files.stat(workingDirectory)?.kind === 'folder'
  } catch {
    return false
  }
}
