import { FileError } from '../files/index.ts'
import { FunctionReturn, LoopExit, ShellExit } from '../state/flow.ts'
import type { Interpreter } from '../state/interpreter.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import { decodeText } from '../text/text.ts'
import type { Builtin } from './builtin.ts'

/** The largest script that is read as a whole. */
const LARGEST_SCRIPT = 4 * 1024 ** 2

const nothing: Builtin = async () => 0

const exit: Builtin = async (shell, args) => {
  throw new ShellExit(statusOf(shell, args))
}

const returns: Builtin = async (shell, args) => {
  const status = statusOf(shell, args)
  throw shell.calls > 0 ? new FunctionReturn(status) : new ShellExit(status)
}

const breaks: Builtin = async (shell, args) => leave(shell, args, false)
const continues: Builtin = async (shell, args) => leave(shell, args, true)

const evaluates: Builtin = (shell, args) => shell.deeper(() => shell.evaluate(args.join(' ')))

const source: Builtin = async (shell, args) => {
  const [name, ...positional] = args
  if (name === undefined) throw new ShellFailure('missing filename')
  const path = scriptPath(name, shell)
  let script: string
  try {
    script = decodeText(shell.files.read(path, LARGEST_SCRIPT))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    throw new ShellFailure(`.: can't open '${name}': ${error.reason}`)
  }
  const read = (): Promise<number> => shell.deeper(() => shell.evaluate(script))
  shell.calls++
  try {
    return await (positional.length > 0 ? shell.withArguments(positional, read) : read())
  } catch (error) {
    if (error instanceof FunctionReturn) return error.status
    throw error
  } finally {
    shell.calls--
  }
}

/** A name without a slash is looked for in the folders of PATH, then here. */
function scriptPath(name: string, shell: Interpreter): string {
  if (name.includes('/')) return name.startsWith('/') ? name : `${shell.directory}/${name}`
  const folders = (shell.get('PATH') ?? '').split(':').filter((folder) => folder.startsWith('/'))
  const found = folders.find((folder) => shell.files.stat(`${folder}/${name}`)?.kind === 'file')
  return `${found ?? shell.directory}/${name}`
}

function statusOf(shell: Interpreter, [text]: readonly string[]): number {
  if (text === undefined) return shell.status
  if (!/^-?[0-9]+$/.test(text)) throw new ShellFailure(`Illegal number: ${text}`)
  return Number(text)
}

function leave(shell: Interpreter, [text]: readonly string[], again: boolean): number {
  if (text !== undefined && !/^[1-9][0-9]*$/.test(text)) throw new ShellFailure(`Illegal number: ${text}`)
  if (shell.loops === 0) return 0
  throw new LoopExit(again, Math.min(Number(text ?? 1), shell.loops))
}

/** Builtins that control the flow of a script. */
export const controlBuiltins: Readonly<Record<string, Builtin>> = {
  ':': nothing,
  true: nothing,
  false: async () => 1,
  exit,
  return: returns,
  break: breaks,
  continue: continues,
  eval: evaluates,
  '.': source,
  source,
}
