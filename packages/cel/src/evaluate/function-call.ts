import { callCost } from '../cost/call-cost.ts'
import type { Meter } from '../cost/meter.ts'
import type { Overload } from '../libraries/overload.ts'
import { ValueSet } from '../values/compare.ts'
import { isError, ListValue, Uint, type Value } from '../values/value.ts'
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

type Cost = ReturnType<typeof callCost>

/**
 * A call of a function, whose overload is chosen by its arguments where the checker could not. Constant parts cost
 * nothing at run time: conversions of constants, and lookups in constant lists.
 */
export function functionCall(name: string, overloads: readonly Overload[], parts: readonly Part[]): Part {
  const only = overloads.length === 1 ? overloads[0] : undefined
  const cost = callCost(name, only?.id ?? '')
  const evaluate = dispatcher(name, overloads)
  const run = callWith(parts, evaluate, cost)
  if (CONVERSIONS.has(name)) return convertedConstant(parts, evaluate) ?? { run }
  return (only?.id === 'in_list' && inConstantList(parts)) || { run }
}

/**
 * Evaluates the arguments, charges the cost and calls the function. The cost that depends on the arguments is charged before the
 * call, so that a function does not begin work beyond the limit.
 */
function callWith(parts: readonly Part[], evaluate: (args: Value[]) => Value, cost: Cost): Run {
  const call = (args: Value[], meter: Meter): Value => {
    if (cost.before) meter.charge(cost.of(args, null))
    const result = evaluate(args)
    if (!cost.before) meter.charge(cost.of(args, result))
    return result
  }
  const [first, second, ...others] = parts.map((part) => part.run)
  // Calls with one or two arguments look at both, and cost something even where one is an error.
  if (first && !second) {
    return (frame) => {
      const value = first(frame)
      if (!isError(value)) return call([value], frame.meter)
      frame.meter.charge(1)
      return value
    }
  }
  if (first && second && others.length === 0) {
    return (frame) => {
      const left = first(frame)
      const right = second(frame)
      if (!isError(left) && !isError(right)) return call([left, right], frame.meter)
      frame.meter.charge(1)
      return isError(left) ? left : right
    }
  }
  return (frame) => {
    const args: Value[] = []
    for (const part of parts) {
      const value = part.run(frame)
      if (isError(value)) return value
      args.push(value)
    }
    return call(args, frame.meter)
  }
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
