import { OpenFile } from '../process/descriptors.ts'
import { NoInput } from '../process/input.ts'
import { Pipe } from '../process/pipe.ts'
import type { AndOr, Command, Pipeline } from '../syntax/syntax-tree.ts'
import { ShellExit } from '../state/flow.ts'
import type { Interpreter } from '../state/interpreter.ts'

/** `a && b || c`: whether each command runs depends on the status of the one before. */
export async function executeAndOr({ first, rest }: AndOr, shell: Interpreter): Promise<number> {
  let status = await executePipeline(first, shell, rest.length > 0)
  for (const [index, { operator, pipeline }] of rest.entries()) {
    if ((status === 0) !== (operator === '&&')) continue
    status = await executePipeline(pipeline, shell, index < rest.length - 1)
  }
  return status
}

/** Starts commands in the background, as a separate process. */
export async function executeInBackground(command: AndOr, shell: Interpreter): Promise<number> {
  const copy = shell.fork(describe(command))
  copy.process.background = true
  if (!shell.interactive) copy.descriptors.set(0, new OpenFile({ input: new NoInput() }))
  const ended = copy.finish((subshell) => subshell.execute({ items: [{ command, background: false }] }))
  const job = shell.jobs.add(copy.process.pid, copy.process.command, ended)
  if (shell.interactive) await shell.complain(`[${job.number}] ${job.pid}`)
  return 0
}

async function executePipeline(pipeline: Pipeline, shell: Interpreter, tolerated: boolean): Promise<number> {
  const { commands, negated } = pipeline
  const tolerant = tolerated || negated
  if (tolerant) shell.tolerant++
  let status: number
  try {
    const [only] = commands
    status = commands.length === 1 && only ? await shell.executeCommand(only) : await piped(commands, shell)
  } finally {
    if (tolerant) shell.tolerant--
  }
  if (negated) status = status === 0 ? 1 : 0
  shell.status = status
  const decides = commands.length > 1 || commands[0]?.type === 'simple' || commands[0]?.type === 'subshell'
  if (status !== 0 && decides && !tolerant && shell.tolerant === 0 && shell.option('errexit')) {
    throw new ShellExit(status)
  }
  return status
}

/** Runs all commands at the same time, each in a copy of the shell, joined by pipes. */
async function piped(commands: readonly Command[], shell: Interpreter): Promise<number> {
  const runs: Promise<number>[] = []
  let input: OpenFile | undefined
  for (const [index, command] of commands.entries()) {
    let copy: Interpreter
    try {
      copy = shell.fork('sh')
    } catch (error) {
      // Closes the pipe, so that a process that already writes into it fails instead of waiting.
      input?.hold().release()
      throw error
    }
    if (input) copy.descriptors.set(0, input)
    if (index < commands.length - 1) {
      const pipe = new Pipe()
      copy.descriptors.set(1, new OpenFile({ output: pipe.output }))
      input = new OpenFile({ input: pipe.input })
    }
    runs.push(copy.finish((subshell) => subshell.executeCommand(command)))
  }
  const statuses = await Promise.all(runs)
  if (shell.option('pipefail')) return statuses.findLast((status) => status !== 0) ?? 0
  return statuses.at(-1) ?? 0
}

/** The name in `jobs` and `ps`: the words of the command that are plain text. */
function describe({ first }: AndOr): string {
  const [command] = first.commands
  if (command?.type !== 'simple') return 'sh'
  const words = command.words.map((word) =>
    word.map((part) => (part.type === 'text' ? part.text : '$')).join(''),
  )
  return words.join(' ').slice(0, 200) || 'sh'
}
