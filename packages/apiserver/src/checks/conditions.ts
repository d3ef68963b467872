import { addAll } from '../work/index.ts'
import {
  byteLength,
  duplicateValue,
  type FieldError,
  invalidValue,
  isNumber,
  listOf,
  requiredValue,
  textOf,
  tooLong,
} from '../schema/index.ts'
import { eachObject, oneOf, qualifiedName } from './checks.ts'

const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'
const LONGEST_MESSAGE = 32_768
const LONGEST_REASON = 1_024

/** Validates conditions of the common form (`metav1.Condition`). */
export function validateConditions(value: unknown, field: string): FieldError[] {
  const seen = new Set<unknown>()
  return eachObject(listOf(value), field, (condition, at) => {
    const { type = '', status = '', observedGeneration, lastTransitionTime } = condition
    const reason = textOf(condition['reason'] ?? '')
    const errors = seen.has(type) ? [duplicateValue(`${at}.type`, type)] : []
    seen.add(type)
    addAll(
      errors,
      qualifiedName(type, `${at}.type`),
      oneOf(status, ['False', 'True', 'Unknown'], `${at}.status`),
    )
    if (isNumber(observedGeneration) && observedGeneration < 0) {
      errors.push(
        invalidValue(`${at}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero'),
      )
    }
    if (!lastTransitionTime) errors.push(requiredValue(`${at}.lastTransitionTime`))
    if (reason === '') errors.push(requiredValue(`${at}.reason`))
    else {
      if (!new RegExp(`^${REASON}$`).test(reason)) {
        const detail = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON}')`
        errors.push(invalidValue(`${at}.reason`, reason, detail))
      }
      if (byteLength(reason) > LONGEST_REASON) errors.push(tooLong(`${at}.reason`, LONGEST_REASON))
    }
    if (byteLength(textOf(condition['message'] ?? '')) > LONGEST_MESSAGE) {
      errors.push(tooLong(`${at}.message`, LONGEST_MESSAGE))
    }
    return errors
  })
}
