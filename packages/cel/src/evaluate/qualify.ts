import { keyIdentity } from '../values/map-value.ts'
import type { Meter } from '../cost/meter.ts'
import { typeOfValue } from '../values/value-type.ts'
import { valueText } from '../values/value-text.ts'
import { fail, isError, ListValue, MapValue, OptionalValue, type Value } from '../values/value.ts'

/** The value of a field or index. The field of an optional is optional too. */
export function qualify(container: Value, key: Value, optional: boolean, meter: Meter): Value {
  if (container instanceof OptionalValue) {
    if (container.value === undefined) return container
    return qualify(container.value, key, true, meter)
  }
  const value = lookUp(container, key)
  if (!optional) {
    meter.charge(1)
    if (value !== undefined) return value
    return fail(
      container instanceof ListValue
        ? `index out of bounds: ${valueText(key)}`
        : `no such key: ${valueText(key)}`,
    )
  }
  if (value === undefined) return OptionalValue.none
  meter.charge(1)
  return isError(value) ? value : new OptionalValue(value)
}

function lookUp(container: Value, key: Value): Value | undefined {
  if (container instanceof MapValue) return container.get(key)
  if (!(container instanceof ListValue)) return undefined
  const index = keyIdentity(key)
  if (typeof index !== 'bigint') return fail(`unsupported index type '${typeOfValue(key).name}' in list`)
  return index < 0n || index >= container.length ? undefined : container.at(Number(index))
}

/** Whether a field is there. Only maps have fields. */
export function hasField(container: Value, field: string): Value {
  if (container instanceof OptionalValue) {
    return container.value === undefined ? false : hasField(container.value, field)
  }
  return container instanceof MapValue && container.get(field) !== undefined
}
