import type { CommandImage } from '../images/index.ts'
import { PodProblem } from './pod-problem.ts'

/** Variables by which a program loads, or runs at its start, what they name. */
const RUNS_CODE =
  /^(?:(?:LD|DYLD)_.*|NODE_OPTIONS|BASH_ENV|ENV|BASH_FUNC_.*|PERL5OPT|PERL5LIB|PERL5DB|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|GCONV_PATH)$/

/** By such a variable an allowed command would run code that the mapping does not name. */
export function refuseUnsafeVariables(env: Readonly<Record<string, string>>, image: CommandImage): void {
  const name = Object.keys(env).find((variable) => RUNS_CODE.test(variable))
  if (name === undefined || image.hostCommands) return
  throw new PodProblem(
    `the variable ${name} can make the command run other code: map the image with hostCommands: true to allow it`,
  )
}
