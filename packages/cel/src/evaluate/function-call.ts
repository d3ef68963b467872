import { callCost } from '../cost/call-cost.ts'
import type { Meter } from '../cost/meter.ts'
import type { Overload } from '../libraries/overload.ts'
import { ValueSet } from '../values/compare.ts'
import { type EvaluationError, isError, ListValue, Uint, type Value } from '../values/value.ts'
import { dispatcher, type Dispatcher } from './dispatch.ts'
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
  const calls = dispatcher(name, overloads)
  const run = callWith(parts, calls, cost)
  if (CONVERSIONS.has(name)) return convertedConstant(parts, calls) ?? { run }
  return (only?.id === 'in_list' && inConstantList(parts)) || { run }
}

/**
 * Evaluates the arguments, charges the cost and calls the function. The cost that depends on the arguments is charged before the
 * call, so that a function does not begin work beyond the limit.
 */
function callWith(parts: readonly Part[], calls: Dispatcher, cost: Cost): Run {
  const [first, second, ...others] = parts.map((part) => part.run)
  // Calls with one or two arguments look at both, and cost something even where one is an error.
  if (first && !second) {
    return (frame) => {
      const { meter } = frame
      const value = first(frame)
      if (isError(value)) return failed(value, meter)
      meter.charge(cost.isOne ? 1 : cost.of(value))
      return finish(calls.one(value), cost, meter)
    }
  }
  if (first && second && others.length === 0) {
    return (frame) => {
      const { meter } = frame
      const left = first(frame)
      const right = second(frame)
      if (isError(left)) return failed(left, meter)
      if (isError(right)) return failed(right, meter)
      meter.charge(cost.isOne ? 1 : cost.of(left, right))
      return finish(calls.two(left, right), cost, meter)
    }
  }
  return (frame) => {
    const args: Value[] = []
    for (const part of parts) {
      const value = part.run(frame)
      if (isError(value)) return value
      args.push(value)
    }
    frame.meter.charge(cost.of(...args))
    return finish(calls.many(args), cost, frame.meter)
  }
}

function finish(result: Value, { ofResult }: Cost, meter: Meter): Value {
  if (ofResult) meter.charge(ofResult(result))
  return result
}

function failed(error: EvaluationError, meter: Meter): EvaluationError {
  meter.charge(1)
  return error
}

function convertedConstant(parts: readonly Part[], calls: Dispatcher): Part | undefined {
  const [first] = parts
  if (parts.length !== 1 || first?.constant === undefined) return undefined
  const value = calls.one(first.constant)
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
