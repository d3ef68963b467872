import type { Interpreter } from '../state/interpreter.ts'

/** A command that is part of the shell itself. It gets its arguments without its name. */
export type Builtin = (shell: Interpreter, args: readonly string[]) => Promise<number>
