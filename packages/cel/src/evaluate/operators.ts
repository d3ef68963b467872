import { callCost } from '../cost/call-cost.ts'
import { equalValues } from '../values/compare.ts'
import { type EvaluationError, fail, isError, OptionalValue } from '../values/value.ts'
import { noOverload } from './dispatch.ts'
import type { Run } from './part.ts'

/** `condition ? yes : no`. Only one of the branches is evaluated. */
export function conditional(condition: Run, yes: Run, no: Run): Run {
  return (frame) => {
    const value = condition(frame)
    if (value === true) return yes(frame)
    if (value === false) return no(frame)
    return isError(value) ? value : fail('no such overload')
  }
}

/**
 * `&&`, which a false term decides, and `||`, which a true one decides. The result may be known although another term
 * failed.
 */
export function logical(terms: readonly Run[], decisive: boolean): Run {
  const [first, second, ...others] = terms
  if (first && second && others.length === 0) {
    return (frame) => {
      const left = first(frame)
      if (left === decisive) return decisive
      const right = second(frame)
      if (right === decisive) return decisive
      if (left !== !decisive) return isError(left) ? left : fail('no such overload')
      if (right !== !decisive) return isError(right) ? right : fail('no such overload')
      return !decisive
    }
  }
  return (frame) => {
    let error: EvaluationError | undefined
    for (const term of terms) {
      const value = term(frame)
      if (value === decisive) return decisive
      if (value === !decisive) continue
      error ??= isError(value) ? value : fail('no such overload')
    }
    return error ?? !decisive
  }
}

/** The condition of a loop: an error does not end it. */
export function notStrictlyFalse(run: Run): Run {
  return (frame) => {
    const value = run(frame)
    frame.meter.charge(1)
    return value !== false
  }
}

/** `==` and `!=`, for values of any types. */
export function equality(operator: '_==_' | '_!=_', left: Run, right: Run): Run {
  const equal = operator === '_==_'
  const cost = callCost(operator, equal ? 'equals' : 'not_equals')
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    frame.meter.charge(cost.of(a, b))
    if (isError(a)) return a
    return isError(b) ? b : equalValues(a, b) === equal
  }
}

/** `or` and `orValue` of optional values. The second operand is evaluated only where the first has no value. */
export function optionalOr(name: string, first: Run, second: Run): Run {
  return (frame) => {
    const optional = first(frame)
    if (isError(optional)) return optional
    if (!(optional instanceof OptionalValue)) return noOverload(name, [optional])
    if (optional.value !== undefined) return name === 'or' ? optional : optional.value
    return second(frame)
  }
}
