import type { CommandImage } from '../../images/index.ts'
import { PodProblem } from './pod-problem.ts'

/** Variables by which a program loads, or runs at its start, what they name. */
const RUNS_CODE =
  /^(?:(?:LD|DYLD)_.*|NODE_(?:OPTIONS|PATH|REPL_EXTERNAL_MODULE)|BUN_OPTIONS|BASH_ENV|ENV|BASH_FUNC_.*|PERL5OPT|PERL5LIB|PERL5DB|PYTHON(?:STARTUP|PATH|HOME|BREAKPOINT|USERBASE)|RUBYOPT|RUBYLIB|LUA_INIT.*|LUA_C?PATH.*|PHPRC|PHP_INI_SCAN_DIR|AWKPATH|AWKLIBPATH|R_PROFILE.*|ERL_.*FLAGS|GIT_(?:SSH.*|EXTERNAL_DIFF|PAGER|EDITOR|ASKPASS|PROXY_COMMAND|CONFIG.*|EXEC_PATH|TEMPLATE_DIR)|SSH_ASKPASS|TAR_OPTIONS|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|GCONV_PATH)$/

/** By such a variable an allowed command would run code that the mapping does not name. */
export function refuseUnsafeVariables(env: Readonly<Record<string, string>>, image: CommandImage): void {
  const name = Object.keys(env).find((variable) => RUNS_CODE.test(variable))
  if (name === undefined || image.hostCommands) return
  throw new PodProblem(
    `the variable ${name} can make the command run other code: map the image with hostCommands: true to allow it`,
  )
}
