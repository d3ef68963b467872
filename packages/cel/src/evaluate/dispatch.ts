import type { Overload } from '../libraries/overload.ts'
import { guardOf, typeOfValue } from '../values/value-type.ts'
import { fail, type EvaluationError, type Value } from '../values/value.ts'

/** Finds the overload for the run-time types of the arguments. */
export function dispatcher(name: string, overloads: readonly Overload[]): (args: Value[]) => Value {
  const candidates = overloads.map(({ args, evaluate }) => ({
    guards: args.map((type) => guardOf(type)),
    evaluate,
  }))
  return (args) => {
    for (const { guards, evaluate } of candidates) if (fit(guards, args)) return evaluate(...args)
    return noOverload(name, args)
  }
}

function fit(guards: readonly ((value: Value) => boolean)[], args: readonly Value[]): boolean {
  if (guards.length !== args.length) return false
  for (let index = 0; index < guards.length; index++) if (!guards[index]?.(args[index]!)) return false
  return true
}

/** Functions of the language itself, whose errors have no details. */
const PLAIN = new Set(['@in', 'contains', 'startsWith', 'endsWith', 'matches'])

/** The error for arguments that no overload takes. */
export function noOverload(name: string, args: readonly Value[]): EvaluationError {
  if (PLAIN.has(name) || name.includes('_')) return fail('no such overload')
  if (name === 'size') return fail('no such overload: size')
  return fail(`no such overload: ${name}(${args.map((arg) => typeOfValue(arg).name).join(', ')})`)
}
