import { FileError } from '../files/index.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import type { Builtin } from './builtin.ts'

const cd: Builtin = async (shell, args) => {
  const physical = args.includes('-P')
  const [name = shell.get('HOME') ?? '/'] = args.filter((arg) => !/^-[LP]+$/.test(arg) && arg !== '--')
  const target = name === '-' ? (shell.get('OLDPWD') ?? shell.directory) : name
  const path = normalized(target.startsWith('/') ? target : `${shell.directory}/${target}`)
  try {
    if (shell.files.stat(path)?.kind !== 'folder') {
      throw new FileError(shell.files.stat(path) ? 'ENOTDIR' : 'ENOENT', path)
    }
    shell.set('OLDPWD', shell.directory)
    shell.directory = physical ? shell.files.canonical(path) : path
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new ShellFailure(`can't cd to ${target}: ${error.reason}`, { status: 2, fatal: false })
  }
  shell.set('PWD', shell.directory)
  if (name === '-') await shell.print(`${shell.directory}\n`)
  return 0
}

const pwd: Builtin = async (shell, args) => {
  await shell.print(`${args.includes('-P') ? shell.files.canonical(shell.directory) : shell.directory}\n`)
  return 0
}

/**
 * Removes `.`, `..` and double slashes from the text of a path, without looking at links: after `cd` through a
 * link, `cd ..` leaves the link.
 */
function normalized(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** Builtins about the working directory. */
export const directoryBuiltins: Readonly<Record<string, Builtin>> = { cd, pwd, chdir: cd }
