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
 * Keeps such variables from the programs that lead into the Pod's namespaces: the last of them, `env`, sets them for the
 * Pod's own program. They are seen among its arguments for a moment, as values of other variables are not.
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
