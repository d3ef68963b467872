import { isObject, type JsonObject, listOf, objectOf } from '../schema/index.ts'
import { addAll } from '../work/index.ts'

/** Whether a schema, or one inside it, meets a condition. */
export function anySchema(value: unknown, meets: (node: JsonObject) => boolean): boolean {
  if (!isObject(value)) return false
  const { additionalProperties, additionalItems, items, not } = value
  const inner = [additionalProperties, additionalItems, not, ...(Array.isArray(items) ? items : [items])]
  for (const name of ['allOf', 'oneOf', 'anyOf']) addAll(inner, listOf(value[name]))
  for (const name of ['properties', 'patternProperties', 'definitions', 'dependencies']) {
    addAll(inner, Object.values(objectOf(value[name])))
  }
  return meets(value) || inner.some((one) => anySchema(one, meets))
}
