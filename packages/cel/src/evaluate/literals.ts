import { LIST_COST, MAP_COST, STRUCT_COST } from '../cost/call-cost.ts'
import { Meter } from '../cost/meter.ts'
import type { ObjectMaker } from '../check/scope.ts'
import { ArrayList } from '../values/list-value.ts'
import { EntryMap, keyIdentity } from '../values/map-value.ts'
import { typeOfValue } from '../values/value-type.ts'
import { fail, isError, OptionalValue, type Value } from '../values/value.ts'
import { valueText } from '../values/value-text.ts'
import { constant, type Part, type Run } from './part.ts'

/** A list literal; `optional` are the indexes of elements that begin with `?`. */
export function listLiteral(parts: readonly Part[], optional: ReadonlySet<number>): Part {
  const values = parts.map((part) => part.constant)
  if (optional.size === 0 && values.every((value) => value !== undefined))
    return constant(new ArrayList(values))
  const runs = parts.map((part) => part.run)
  return {
    run: (frame) => {
      const list: Value[] = []
      for (const [index, run] of runs.entries()) {
        let value = run(frame)
        if (isError(value)) return value
        if (optional.has(index)) {
          if (!(value instanceof OptionalValue)) {
            return fail(`cannot initialize optional list element from non-optional value ${valueText(value)}`)
          }
          if (value.value === undefined) continue
          value = value.value
        }
        list.push(value)
      }
      frame.meter.charge(LIST_COST)
      return new ArrayList(list)
    },
  }
}

/** An entry of a map literal. */
interface EntryPart {
  readonly key: Part
  readonly value: Part
  readonly optional: boolean
}

/** A map literal. */
export function mapLiteral(entries: readonly EntryPart[]): Part {
  const make: Run = (frame) => {
    const map = new EntryMap()
    for (const { key, value, optional } of entries) {
      const name = key.run(frame)
      if (isError(name)) return name
      let content = value.run(frame)
      if (isError(content)) return content
      if (optional) {
        if (!(content instanceof OptionalValue)) return notOptional(valueText(name), content)
        if (content.value === undefined) continue
        content = content.value
      }
      if (keyIdentity(name) === undefined) return fail(`unsupported key type: ${typeOfValue(name).name}`)
      map.put(name, content)
    }
    return map
  }
  const known = entries.every(
    ({ key, value, optional }) => !optional && key.constant !== undefined && value.constant !== undefined,
  )
  if (known) {
    const value = make({ variables: () => undefined, meter: new Meter(0), locals: [] })
    return isError(value) ? { run: () => value } : constant(value)
  }
  return {
    run: (frame) => {
      const map = make(frame)
      if (!isError(map)) frame.meter.charge(MAP_COST)
      return map
    },
  }
}

/** A field of a struct literal. */
interface FieldPart {
  readonly name: string
  readonly run: Run
  readonly optional: boolean
}

/** A struct literal. */
export function structLiteral(maker: ObjectMaker, parts: readonly FieldPart[]): Run {
  return (frame) => {
    const fields = new Map<string, Value>()
    for (const { name, run, optional } of parts) {
      let content = run(frame)
      if (isError(content)) return content
      if (optional) {
        if (!(content instanceof OptionalValue)) return notOptional(name, content)
        if (content.value === undefined) continue
        content = content.value
      }
      fields.set(name, content)
    }
    frame.meter.charge(STRUCT_COST)
    return maker.make(fields)
  }
}

function notOptional(entry: string, content: Value): Value {
  return fail(`cannot initialize optional entry '${entry}' from non-optional value ${valueText(content)}`)
}
