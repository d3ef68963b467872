import { expandPattern, expandText, expandWords } from '../expansion/expand.ts'
import { Pattern } from '../expansion/pattern.ts'
import type {
  CaseCommand,
  ForCommand,
  GroupCommand,
  IfCommand,
  List,
  LoopCommand,
} from '../syntax/syntax-tree.ts'
import { LoopExit } from '../state/flow.ts'
import type { Interpreter } from '../state/interpreter.ts'

/** `if`, with the status of the branch that ran, or 0. */
export async function executeIf(command: IfCommand, shell: Interpreter): Promise<number> {
  for (const { condition, body } of command.branches) {
    if ((await tolerated(shell, condition)) === 0) return shell.execute(body)
  }
  return command.otherwise ? shell.execute(command.otherwise) : 0
}

/** `while` and `until`. */
export async function executeLoop(command: LoopCommand, shell: Interpreter): Promise<number> {
  let status = 0
  await looping(shell, async () => {
    for (;;) {
      await shell.checkpoint()
      const goesOn = await turn(shell, async () => {
        const met = (await tolerated(shell, command.condition)) === 0
        if (met === command.until) return false
        status = await shell.execute(command.body)
        return true
      })
      if (!goesOn) return
      if (goesOn === 'again') status = 0
    }
  })
  return status
}

/** `for`. */
export async function executeFor(command: ForCommand, shell: Interpreter): Promise<number> {
  const values = command.words ? await expandWords(command.words, shell) : [...shell.positional]
  let status = 0
  await looping(shell, async () => {
    for (const value of values) {
      await shell.checkpoint()
      shell.set(command.name, value)
      const goesOn = await turn(shell, async () => {
        status = await shell.execute(command.body)
        return true
      })
      if (!goesOn) return
      if (goesOn === 'again') status = 0
    }
  })
  return status
}

/** `case`. */
export async function executeCase(command: CaseCommand, shell: Interpreter): Promise<number> {
  const text = await expandText(command.word, shell)
  for (const { patterns, body } of command.branches) {
    for (const pattern of patterns) {
      const matcher = new Pattern(await expandPattern(pattern, shell))
      await shell.step(matcher.cost(text.length))
      if (matcher.matches(text)) return shell.execute(body)
    }
  }
  return 0
}

/** `( … )` in a copy of the shell, `{ …; }` in the shell itself. */
export async function executeGroup(command: GroupCommand, shell: Interpreter): Promise<number> {
  if (command.type === 'group') return shell.execute(command.body)
  return shell.fork('sh').finish((subshell) => subshell.execute(command.body))
}

/** Runs a condition, whose failure does not end a script with `set -e`. */
async function tolerated(shell: Interpreter, condition: List): Promise<number> {
  shell.tolerant++
  try {
    return await shell.execute(condition)
  } finally {
    shell.tolerant--
  }
}

async function looping(shell: Interpreter, loop: () => Promise<void>): Promise<void> {
  shell.loops++
  try {
    await loop()
  } catch (error) {
    // A `break` or `continue` for an outer loop leaves this loop.
    if (!(error instanceof LoopExit)) throw error
    throw new LoopExit(error.again, error.levels - 1)
  } finally {
    shell.loops--
  }
}

/** Runs one iteration of a loop. Returns whether the loop continues. */
async function turn(shell: Interpreter, work: () => Promise<boolean>): Promise<boolean | 'again'> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LoopExit) || error.levels > 1) throw error
    shell.status = 0
    return error.again ? 'again' : false
  }
}
