/** The commands that are part of the shell, by name. They run in the shell's own process and can change it. */
import type { Builtin } from './builtin.ts'
import { controlBuiltins } from './control.ts'
import { directoryBuiltins } from './directory.ts'
import { echoBuiltins } from './echo.ts'
import { getoptsBuiltins } from './getopts.ts'
import { jobBuiltins } from './jobs.ts'
import { nameBuiltins, otherBuiltins } from './names.ts'
import { readBuiltins } from './read.ts'
import { testBuiltins } from './test.ts'
import { variableBuiltins } from './variables.ts'

export type { Builtin } from './builtin.ts'
export { setOptions } from './variables.ts'

/** All builtins. `exec` is not a function of its arguments alone, and stands with the simple commands. */
export const builtins: ReadonlyMap<string, Builtin> = new Map(
  Object.entries({
    ...controlBuiltins,
    ...directoryBuiltins,
    ...echoBuiltins,
    ...getoptsBuiltins,
    ...jobBuiltins,
    ...nameBuiltins((name) => name === 'exec' || builtins.has(name)),
    ...otherBuiltins,
    ...readBuiltins,
    ...testBuiltins,
    ...variableBuiltins,
  }),
)

const SPECIAL = new Set(
  ': . source break continue eval exec exit export readonly return set shift times trap unset'.split(' '),
)

/** Whether POSIX calls the builtin special: no function hides it, and assignments before it stay. */
export function isSpecial(name: string): boolean {
  return SPECIAL.has(name)
}

/** The builtins that are also separate programs, so that a container can be started with them. */
export const programBuiltins: ReadonlySet<string> = new Set(
  'echo printf test [ kill pwd true false'.split(' '),
)
