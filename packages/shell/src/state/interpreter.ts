import type { ExpansionScope } from '../expansion/expansion-scope.ts'
import type { Descriptors } from '../process/descriptors.ts'
import type { ShellProcess } from '../process/process.ts'
import type { System } from '../process/system.ts'
import type { Command, List } from '../syntax/syntax-tree.ts'
import type { Jobs } from './jobs.ts'
import type { Traps } from './traps.ts'
import type { Variables } from './variables.ts'

/** The interface of a shell for the code that runs its commands. */
export interface Interpreter extends ExpansionScope {
  readonly system: System
  readonly process: ShellProcess
  readonly descriptors: Descriptors
  readonly variables: Variables
  readonly functions: Map<string, Command>
  /** The options that `set -o` has turned on. */
  readonly options: Set<string>
  readonly traps: Traps
  readonly jobs: Jobs
  /** Whether a person types the commands. */
  readonly interactive: boolean
  /** `$0`. */
  readonly name: string
  positional: readonly string[]
  /** The position of `getopts` in a cluster of letters (`-abc`): the argument, and the next letter in it. */
  optionPlace: { readonly index: number; readonly letter: number } | undefined
  directory: string
  /** `$?`. */
  status: number
  /** The status of the last command substitution, while a command is expanded. */
  substituted: number
  /** Above 0 inside of conditions, where a failure does not end a shell with `set -e`. */
  tolerant: number
  /** The number of loops around the current command. */
  loops: number
  /** Whether a function or a read file runs, which `return` can end. */
  calls: number

  /** Runs commands one after the other. */
  execute(list: List): Promise<number>
  executeCommand(command: Command): Promise<number>
  /** Runs a script line by line. */
  evaluate(script: string): Promise<number>
  /** Runs a command by its name: a function, a builtin or a program. */
  run(argv: readonly string[], options?: { readonly functions?: boolean | undefined }): Promise<number>
  /** Starts a program by its name, as a new process, or in place of the shell. */
  start(
    argv: readonly [string, ...string[]],
    env: Readonly<Record<string, string>>,
    options?: { readonly replace?: boolean | undefined },
  ): Promise<number>
  /** The path or the applet of a program, by its name; `undefined` where there is none. */
  find(name: string): string | undefined
  /** A copy of the shell that runs as a separate process. */
  fork(command: string): Interpreter
  /** Runs a copy to its end, with its trap for `EXIT`, and closes it. */
  finish(work: (shell: Interpreter) => Promise<number>): Promise<number>
  /** Runs with other arguments (`$1`, `$2` …), and restores the former ones. */
  withArguments<T>(values: readonly string[], work: () => Promise<T>): Promise<T>
  /** Runs at a deeper level, up to a limit. */
  deeper<T>(work: () => Promise<T>): Promise<T>
  /** Yields to other processes, and handles signals that have arrived. */
  checkpoint(): Promise<void>
  print(text: string): Promise<void>
  /** Writes a message to standard error, with the shell's name before it. */
  complain(message: string): Promise<void>
}
