import type { Overload } from '../libraries/overload.ts'
import { guardOf, typeOfValue } from '../values/value-type.ts'
import { fail, type EvaluationError, type Value } from '../values/value.ts'

/** A function whose overload is found by the run-time types of the arguments. */
export interface Dispatcher {
  /** Most calls have one or two arguments. They need no list of them. */
  one(arg: Value): Value
  two(left: Value, right: Value): Value
  many(args: readonly Value[]): Value
}

/** Makes a function of its overloads. */
export function dispatcher(name: string, overloads: readonly Overload[]): Dispatcher {
  const candidates = overloads.map(({ args, evaluate }) => ({
    guards: args.map((type) => guardOf(type)),
    evaluate,
  }))
  const unary = candidates.flatMap(({ guards: [guard, ...more], evaluate }) =>
    guard !== undefined && more.length === 0 ? { guard, evaluate } : [],
  )
  const binary = candidates.flatMap(({ guards: [left, right, ...more], evaluate }) =>
    left !== undefined && right !== undefined && more.length === 0 ? { left, right, evaluate } : [],
  )
  return {
    one(arg) {
      for (const { guard, evaluate } of unary) if (guard(arg)) return evaluate(arg)
      return noOverload(name, [arg])
    },
    two(first, second) {
      for (const { left, right, evaluate } of binary) {
        if (left(first) && right(second)) return evaluate(first, second)
      }
      return noOverload(name, [first, second])
    },
    many(args) {
      for (const { guards, evaluate } of candidates) if (fit(guards, args)) return evaluate(...args)
      return noOverload(name, args)
    },
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
