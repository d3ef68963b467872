import { writeFileSync } from 'node:fs'
import { findProgram } from '../../images/index.ts'
import type { Cgroup } from './cgroups.ts'
import { childrenOf } from './child-of.ts'

interface Command {
  readonly program: string
  readonly args: readonly string[]
}

/** Writes its own number to each file up to `--`, then becomes the program that follows. */
const ENTER =
  'while [ "$1" != -- ]; do echo $$ >"$1" || exit 125; shift; done; shift; unset PWD OLDPWD; exec "$@"'

/** Variables that shells set, change or drop, so that they cannot be passed through one. */
const SHELLS_OWN =
  /^(?:PWD|OLDPWD|SHLVL|_|IFS|OPTIND|OPTARG|OPTERR|PPID|LINENO|UID|EUID|GROUPS|BASH.*|SHELLOPTS|RANDOM|SECONDS|HIST.*|DIRSTACK|FUNCNAME|HOSTTYPE|MACHTYPE|OSTYPE|PIPESTATUS|PS\d|TERM_PROGRAM.*|COMP_.*|MAIL.*|ENV|POSIXLY_CORRECT)$/
const SHELL_NAME = /^[A-Za-z_]\w*$/

/** How a program starts in a control group. */
export interface Entering extends Command {
  /** To be called with the number of the process once it has started. */
  started(pid: number): void
}

/**
 * Starts a program in a control group. A shell enters the group and becomes the program. A shell would not
 * pass on some variables: if there are such, the process is put into the group as soon as it has started,
 * while it is still a program of ours and not yet the Pod's.
 */
export function enterCgroup(
  cgroup: Cgroup,
  command: Command,
  env: Readonly<Record<string, string>>,
): Entering {
  const sh = findProgram('sh', '/')
  const passes = Object.keys(env).every((name) => SHELL_NAME.test(name) && !SHELLS_OWN.test(name))
  if (sh !== undefined && passes) {
    const args = ['-c', ENTER, 'sh', ...cgroup.entrances, '--', command.program, ...command.args]
    return { program: sh, args, started: () => undefined }
  }
  return { ...command, started: (pid) => putInto(cgroup, pid) }
}

function putInto(cgroup: Cgroup, pid: number): void {
  for (const file of cgroup.entrances) writeFileSync(file, String(pid), { flag: 'r+' })
  for (const child of childrenOf(pid)) putInto(cgroup, child)
}
