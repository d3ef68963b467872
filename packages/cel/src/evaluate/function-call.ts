import { callCost } from '../cost/call-cost.ts'
import type { Overload } from '../libraries/overload.ts'
import { ValueSet } from '../values/compare.ts'
import { type EvaluationError, isError, ListValue, Uint, type Value } from '../values/value.ts'
import { dispatcher } from './dispatch.ts'
import { constant, ConstantError, type Part, type Run } from './part.ts'

const CONVERSIONS = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
])

/**
 * A call of a function, whose overload is chosen by its arguments where the checker could not. Constant parts cost
 * nothing at run time: conversions of constants, and lookups in constant lists.
 */
export function functionCall(name: string, overloads: readonly Overload[], parts: readonly Part[]): Part {
  const only = overloads.length === 1 ? overloads[0] : undefined
  const cost = callCost(name, only?.id ?? '')
  const evaluate = dispatcher(name, overloads)
  const run: Run = (frame) => {
    const args: Value[] = []
    let error: EvaluationError | undefined
    for (const part of parts) {
      const value = part.run(frame)
      if (isError(value)) {
        // Calls with one or two arguments look at both, and cost something even then.
        if (parts.length > 2) return value
        error ??= value
      }
      args.push(value)
    }
    if (error) {
      frame.meter.charge(1)
      return error
    }
    // The cost that depends on the arguments is charged before the call, so that a function does not begin work
    // beyond the limit.
    if (cost.before) frame.meter.charge(cost.of(args, null))
    const result = evaluate(args)
    if (!cost.before) frame.meter.charge(cost.of(args, result))
    return result
  }
  if (CONVERSIONS.has(name)) return convertedConstant(parts, evaluate) ?? { run }
  return (only?.id === 'in_list' && inConstantList(parts)) || { run }
}

function convertedConstant(parts: readonly Part[], evaluate: (args: Value[]) => Value): Part | undefined {
  const [first] = parts
  if (parts.length !== 1 || first?.constant === undefined) return undefined
  const value = evaluate([first.constant])
  if (isError(value)) throw new ConstantError(value.message)
  return constant(value)
}

function inConstantList([first, second]: readonly Part[]): Part | undefined {
  if (!first || !(second?.constant instanceof ListValue)) return undefined
  const elements = [...second.constant]
  if (elements.length === 0) return constant(false)
  if (!elements.every((element) => isPlain(element))) return undefined
  const set = new ValueSet()
  for (const element of elements) set.add(element)
  return {
    run: (frame) => {
      const value = first.run(frame)
      return isError(value) ? value : set.has(value)
    },
  }
}

function isPlain(value: Value): boolean {
  return ['string', 'bigint', 'boolean', 'number'].includes(typeof value) || value instanceof Uint
}
