import { evaluateArithmetic } from '../expansion/arithmetic.ts'
import type { Interpreter } from '../state/interpreter.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import type { Builtin } from './builtin.ts'

/** The reserved words of the grammar. */
const RESERVED = new Set('! { } case do done elif else esac fi for if in then until while'.split(' '))

/** `command`, `type` and other builtins that look up a name. `isBuiltin` says which names are builtins. */
export function nameBuiltins(isBuiltin: (name: string) => boolean): Readonly<Record<string, Builtin>> {
  const command: Builtin = async (shell, args) => {
    const [option] = args
    if (option === '-v' || option === '-V') {
      let status = 0
      for (const name of args.slice(1)) {
        const found = option === '-v' ? shortly(name, shell) : described(name, shell)
        if (found === undefined) status = 127
        else await shell.print(`${found}\n`)
      }
      return status
    }
    return shell.run(option === '-p' || option === '--' ? args.slice(1) : args, { functions: false })
  }

  const type: Builtin = async (shell, args) => {
    let status = 0
    for (const name of args) {
      const found = described(name, shell)
      if (found === undefined) status = 127
      await shell.print(`${found ?? `${name}: not found`}\n`)
    }
    return status
  }

  function shortly(name: string, shell: Interpreter): string | undefined {
    if (RESERVED.has(name) || shell.functions.has(name) || isBuiltin(name)) return name
    return shell.find(name)
  }

  function described(name: string, shell: Interpreter): string | undefined {
    if (RESERVED.has(name)) return `${name} is a shell keyword`
    if (shell.functions.has(name)) return `${name} is a function`
    if (isBuiltin(name)) return `${name} is a shell builtin`
    const found = shell.find(name)
    return found === undefined ? undefined : `${name} is ${found}`
  }

  return {
    command,
    type,
    builtin: (shell, args) => shell.run(args, { functions: false }),
    hash: async () => 0,
  }
}

const lets: Builtin = async (shell, args) => {
  let value = 0n
  for (const expression of args) value = evaluateArithmetic(expression, shell)
  return value === 0n ? 1 : 0
}

const umask: Builtin = async (shell, args) => {
  if (args.length === 0) await shell.print('0022\n')
  return 0
}

const ulimit: Builtin = async (shell, args) => {
  if (args.some((arg) => !arg.startsWith('-')))
    throw new ShellFailure('limits are set for the whole run', { fatal: false })
  await shell.print('unlimited\n')
  return 0
}

const times: Builtin = async (shell) => {
  await shell.print('0m0.00s 0m0.00s\n0m0.00s 0m0.00s\n')
  return 0
}

/** The other builtins. */
export const otherBuiltins: Readonly<Record<string, Builtin>> = { let: lets, umask, ulimit, times }
