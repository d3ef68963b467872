import { findProgram } from '../../images/index.ts'

/**
 * Variables that make a program load code. A program of ours starts the Pod's program, and would load that
 * code itself, outside of the Pod's namespaces.
 */
const LOADS =
  /^(?:LD_.*|GCONV_PATH|GLIBC_TUNABLES|LOCPATH|NLSPATH|MALLOC_.*|BASH_FUNC_.*|BASH_ENV|ENV|SHELLOPTS|BASHOPTS)$/

interface Started {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Keeps such variables from the programs that enter the Pod's namespaces. The last of these programs, `env`, sets the
 * variables for the Pod's own program. For a moment they can be seen among the arguments of `env`; the values of other
 * variables never can.
 */
export function withoutLoaderVariables({ program, args, env }: Started): Started {
  const loading = Object.entries(env).filter(([name]) => LOADS.test(name))
  if (loading.length === 0) return { program, args, env }
  const setter = findProgram('env', '/')
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !LOADS.test(name)))
  if (setter === undefined) return { program, args, env: rest }
  return {
    program: setter,
    args: ['--', ...loading.map(([name, value]) => `${name}=${value}`), program, ...args],
    env: rest,
  }
}
