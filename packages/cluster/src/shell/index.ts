/**
 * A POSIX shell and the small commands around it, as busybox has them, inside of this process: it sees the container's
 * files and nothing else, lives in the injected clock's time, and needs no program of the machine.
 *
 * Promised: no run blocks the process (endless loops give way, pipes hold back whoever writes too fast), none outlives
 * the abort of its signals, and nothing that it reads or writes grows without bound.
 */
export { isShellCommand } from './interpreter/programs.ts'
export type { OutputWriter } from './output-writer.ts'
export { runShell } from './run-shell.ts'
export type { ShellRun, Terminal } from './shell-run.ts'
