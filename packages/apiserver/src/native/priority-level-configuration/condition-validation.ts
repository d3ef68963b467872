import { eachObject } from '../../schema/checks/checks.ts'
import { duplicateValue, requiredValue, type FieldError } from '../../schema/field-error.ts'

export function conditionErrors(value: unknown, field: string): FieldError[] {
  const seen = new Set<unknown>()
  return eachObject(value, field, ({ type = '' }, at) => {
    const twice = seen.has(type)
    seen.add(type)
    return [
      ...(twice ? [duplicateValue(`${at}.type`, type)] : []),
      ...(type === '' ? [requiredValue(`${at}.type`)] : []),
    ]
  })
}
