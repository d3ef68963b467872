import { builtins, isSpecial, type Builtin } from '../builtins/index.ts'
import { expandText, expandWords } from '../expansion/expand.ts'
import { quoted } from '../text/quoted.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import type { Assignment, Command, SimpleCommand } from '../syntax/syntax-tree.ts'
import { encodeText } from '../text/text.ts'
import { FunctionReturn, ShellExit } from '../state/flow.ts'
import type { Interpreter } from '../state/interpreter.ts'
import { redirected, redirectPermanently } from './redirections.ts'

/** A command of words: assignments, a function, a builtin or a program. */
export async function executeSimple(command: SimpleCommand, shell: Interpreter): Promise<number> {
  shell.substituted = 0
  const words = await expandWords(command.words, shell)
  const rest = shell.step(1)
  if (rest) await rest
  try {
    if (words.length === 0) {
      return await redirected(shell, command.redirects, async () => {
        await assign(command.assignments, shell)
        return shell.substituted
      })
    }
    if (words[0] === 'exec') return await execute(words.slice(1), command, shell)
    return await redirected(shell, command.redirects, () =>
      withAssignments(command.assignments, words, shell),
    )
  } catch (error) {
    if (!(error instanceof ShellFailure) || error.fatal) throw error
    await shell.complain(error.message)
    return error.status
  }
}

/** Runs a command by its name, without assignments and redirections. */
export async function runByName(
  argv: readonly string[],
  shell: Interpreter,
  functions: boolean,
): Promise<number> {
  const [name, ...args] = argv
  if (name === undefined) return 0
  const body = functions ? shell.functions.get(name) : undefined
  if (body && !isSpecial(name)) return call(body, args, shell)
  const builtin = builtins.get(name)
  if (builtin) return runBuiltin(builtin, name, args, shell)
  return shell.start([name, ...args], shell.variables.exported())
}

async function withAssignments(
  assignments: readonly Assignment[],
  words: readonly string[],
  shell: Interpreter,
): Promise<number> {
  const [name = ''] = words
  if (assignments.length === 0) {
    await trace([], words, shell)
    return runByName(words, shell, true)
  }
  if (isSpecial(name)) {
    await assign(assignments, shell)
    await trace([], words, shell)
    return runByName(words, shell, true)
  }
  // The assignments apply only to this command, and are in its environment.
  return shell.variables.scoped(async () => {
    const values: [string, string][] = []
    for (const { name, value } of assignments) {
      const text = await expandText(value, shell)
      shell.variables.local(name)
      shell.variables.set(name, text, { exported: true })
      values.push([name, text])
    }
    await trace(values, words, shell)
    return runByName(words, shell, true)
  })
}

async function assign(assignments: readonly Assignment[], shell: Interpreter): Promise<void> {
  for (const { name, value } of assignments) {
    const text = await expandText(value, shell)
    await trace([[name, text]], [], shell)
    shell.set(name, text)
  }
}

async function runBuiltin(
  builtin: Builtin,
  name: string,
  args: readonly string[],
  shell: Interpreter,
): Promise<number> {
  try {
    return await builtin(shell, args)
  } catch (error) {
    if (!(error instanceof ShellFailure)) throw error
    const failure = new ShellFailure(`${name}: ${error.message}`, {
      status: error.status,
      fatal: error.fatal && isSpecial(name),
    })
    throw error.message.startsWith(`${name}: `) || name === 'eval' || name === '.' ? error : failure
  }
}

/** `exec`: replaces the shell by a program, or makes redirections permanent. */
async function execute(args: readonly string[], command: SimpleCommand, shell: Interpreter): Promise<number> {
  await redirectPermanently(shell, command.redirects)
  const [name, ...rest] = args[0] === '--' ? args.slice(1) : args
  await assign(command.assignments, shell)
  if (name === undefined) return 0
  for (const [signal, action] of shell.traps.entries()) if (action !== '') shell.traps.set(signal, undefined)
  const env = { ...shell.variables.exported() }
  for (const assignment of command.assignments) env[assignment.name] = shell.get(assignment.name) ?? ''
  throw new ShellExit(await shell.start([name, ...rest], env, { replace: true }))
}

/** Calls a function with its arguments as `$1`, `$2` …. */
async function call(body: Command, args: readonly string[], shell: Interpreter): Promise<number> {
  const { loops } = shell
  shell.loops = 0
  shell.calls++
  try {
    return await shell.withArguments(args, () =>
      shell.deeper(() => shell.variables.scoped(() => shell.executeCommand(body))),
    )
  } catch (error) {
    if (error instanceof FunctionReturn) return error.status
    throw error
  } finally {
    shell.calls--
    shell.loops = loops
  }
}

/** `set -x`: prints the command on standard error. */
async function trace(
  values: readonly (readonly [string, string])[],
  words: readonly string[],
  shell: Interpreter,
): Promise<void> {
  if (!shell.option('xtrace')) return
  const shown = [...values.map(([name, value]) => `${name}=${quoted(value)}`), ...words.map(quoted)]
  const text = `${shell.get('PS4') ?? '+ '}${shown.join(' ')}\n`
  await shell.descriptors.get(2)?.output?.write(encodeText(text), shell.process.signal)
}
