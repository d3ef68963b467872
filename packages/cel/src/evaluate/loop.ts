import type { Comprehension } from '../syntax/ast.ts'
import { GrowingList } from '../values/list-value.ts'
import { GrowingMap } from '../values/map-value.ts'
import { typeOfValue } from '../values/value-type.ts'
import { fail, isError, ListValue, MapValue, type Value } from '../values/value.ts'
import type { Part, Run } from './part.ts'

/** The parts of a loop, and the places of its variables. */
interface LoopParts {
  readonly range: Run
  readonly condition: Part
  readonly step: Run
  readonly result: Run
  readonly accumulator: number
  readonly first: number
  /** The place of the second variable, if the loop has two. */
  readonly second: number | undefined
}

/** A macro such as `all` or `map`: a loop over a list or over the keys of a map. */
export function loop({ range, condition, step, result, accumulator, first, second }: LoopParts): Run {
  return (frame) => {
    const container = range(frame)
    if (isError(container)) return container
    const { locals } = frame
    locals[accumulator] = undefined
    const next = (key: Value, value: Value | undefined): boolean => {
      locals[first] = key
      if (second !== undefined) locals[second] = value
      if (condition.constant !== true && condition.run(frame) === false) return false
      locals[accumulator] = step(frame)
      return true
    }
    const both = second !== undefined
    if (container instanceof ListValue) {
      for (let index = 0; index < container.length; index++) {
        const element = container.at(index)
        if (!(both ? next(BigInt(index), element) : next(element, undefined))) break
      }
    } else if (container instanceof MapValue) {
      for (const key of container.keys()) {
        if (!next(key, both ? container.get(key) : undefined)) break
      }
    } else {
      return fail(`got '${typeOfValue(container).name}', expected iterable type`)
    }
    const value = result(frame)
    return value instanceof GrowingList || value instanceof GrowingMap ? value.finish() : value
  }
}

/**
 * The initial value of a loop. A list or map that no other expression sees before the loop is done grows in place,
 * instead of being copied by each step.
 */
export function loopStart({ init, condition }: Comprehension, given: Run): Run {
  if (condition.kind !== 'literal' || condition.value !== true) return given
  if (init.kind === 'list' && init.elements.length === 0) return () => new GrowingList()
  if (init.kind === 'map' && init.entries.length === 0) return () => new GrowingMap()
  return given
}
