import type { Interpreter } from '../state/interpreter.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import type { Builtin } from './builtin.ts'

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

const exports: Builtin = (shell, args) => marks(shell, args, 'export', { exported: true })
const readOnly: Builtin = (shell, args) => marks(shell, args, 'readonly', { readOnly: true })

async function marks(
  shell: Interpreter,
  args: readonly string[],
  command: string,
  mark: { exported?: boolean; readOnly?: boolean },
): Promise<number> {
  const remove = args[0] === '-n'
  const names = args.filter((arg) => !/^-[np]+$/.test(arg))
  if (names.length === 0) {
    for (const [name, variable] of shell.variables.entries()) {
      if (mark.exported ? !variable.exported : !variable.readOnly) continue
      await shell.print(`${command} ${name}${variable.value === undefined ? '' : `='${variable.value}'`}\n`)
    }
    return 0
  }
  for (const text of names) {
    const { name, value } = assignmentOf(text)
    if (value !== undefined) shell.set(name, value)
    shell.variables.mark(name, remove ? { exported: false } : mark)
  }
  return 0
}

const local: Builtin = async (shell, args) => {
  if (shell.calls === 0) throw new ShellFailure('not in a function')
  for (const text of args) {
    const { name, value } = assignmentOf(text)
    if (!shell.variables.local(name)) throw new ShellFailure('not in a function')
    if (value !== undefined) shell.set(name, value)
  }
  return 0
}

const unset: Builtin = async (shell, args) => {
  const functions = args[0] === '-f'
  for (const name of args.filter((arg) => arg !== '-f' && arg !== '-v')) {
    if (functions) shell.functions.delete(name)
    else {
      if (!NAME.test(name)) throw new ShellFailure(`${name}: bad variable name`)
      shell.variables.unset(name)
    }
  }
  return 0
}

const shift: Builtin = async (shell, [text]) => {
  const count = text === undefined ? 1 : Number(text)
  if (!Number.isInteger(count) || count < 0) throw new ShellFailure(`Illegal number: ${text}`)
  if (count > shell.positional.length) return 1
  shell.positional = shell.positional.slice(count)
  return 0
}

const OPTIONS: Readonly<Record<string, string>> = {
  a: 'allexport',
  C: 'noclobber',
  e: 'errexit',
  f: 'noglob',
  m: 'monitor',
  n: 'noexec',
  u: 'nounset',
  v: 'verbose',
  x: 'xtrace',
}
const LONG_OPTIONS = new Set([...Object.values(OPTIONS), 'pipefail', 'ignoreeof', 'vi', 'notify'])

const set: Builtin = async (shell, args) => {
  if (args.length === 0) {
    for (const [name, { value }] of shell.variables.entries()) {
      if (value !== undefined) await shell.print(`${name}='${value.replaceAll("'", "'\\''")}'\n`)
    }
    return 0
  }
  const rest = setOptions(shell, args)
  if (rest !== undefined) shell.positional = rest
  return 0
}

/**
 * Sets the options at the start of the arguments. Returns the arguments after them; `undefined` where there are
 * none.
 */
export function setOptions(shell: Interpreter, args: readonly string[]): readonly string[] | undefined {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') return args.slice(at + 1)
    if (arg === '-') return args.length > at + 1 ? args.slice(at + 1) : undefined
    if (!/^[-+]./.test(arg)) return args.slice(at)
    const on = arg.startsWith('-')
    for (const letter of arg.slice(1)) {
      const name = letter === 'o' ? args[++at] : OPTIONS[letter]
      if (letter === 'o' && name === undefined) return undefined
      if (name === undefined || !LONG_OPTIONS.has(name))
        throw new ShellFailure(`illegal option ${on ? '-' : '+'}${letter}`)
      if (on) shell.options.add(name)
      else shell.options.delete(name)
    }
  }
  return undefined
}

function assignmentOf(text: string): { name: string; value: string | undefined } {
  const sign = text.indexOf('=')
  const name = sign < 0 ? text : text.slice(0, sign)
  if (!NAME.test(name)) throw new ShellFailure(`${name}: bad variable name`)
  return { name, value: sign < 0 ? undefined : text.slice(sign + 1) }
}

const alias: Builtin = async (_shell, args) => {
  if (args.some((arg) => arg.includes('=')))
    throw new ShellFailure('aliases are not supported: use a function', { fatal: false })
  return args.length === 0 ? 0 : 1
}

/** Builtins about variables and options. */
export const variableBuiltins: Readonly<Record<string, Builtin>> = {
  export: exports,
  readonly: readOnly,
  local,
  unset,
  shift,
  set,
  alias,
  unalias: async () => 0,
}
