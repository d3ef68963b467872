import { eachObject } from '../../checks/index.ts'
import {
  duplicateValue,
  type FieldError,
  type JsonObject,
  objectOf,
  requiredValue,
} from '../../schema/index.ts'

/** Validates the status of a FlowSchema or a PriorityLevelConfiguration. */
export function statusErrors(object: JsonObject): FieldError[] {
  const seen = new Set<unknown>()
  return eachObject(objectOf(object['status'])['conditions'], 'status.conditions', ({ type = '' }, at) => {
    const twice = seen.has(type)
    seen.add(type)
    return [
      ...(twice ? [duplicateValue(`${at}.type`, type)] : []),
      ...(type === '' ? [requiredValue(`${at}.type`)] : []),
    ]
  })
}
