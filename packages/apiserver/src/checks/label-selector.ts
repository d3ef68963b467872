import { labelKeyProblems, labelValueProblems } from '@homeostat/api'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  RawJson,
  requiredValue,
  textOf,
  validateLabels,
} from '../schema/index.ts'
import { eachObject } from './checks.ts'

/** Validates a label selector. */
export function validateLabelSelector(selector: unknown, field: string): FieldError[] {
  if (!isObject(selector)) return []
  return [
    ...validateLabels(selector['matchLabels'], `${field}.matchLabels`),
    ...eachObject(selector['matchExpressions'], `${field}.matchExpressions`, validateRequirement),
  ]
}

/** Checks the operator of a requirement for labels, and how many values it has. */
export function operatorErrors(requirement: JsonObject, field: string): FieldError[] {
  const { operator } = requirement
  const values = listOf(requirement['values'])
  const errors: FieldError[] = []
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push(requiredValue(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"))
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
      errors.push(forbiddenValue(`${field}.values`, detail))
    }
  } else {
    errors.push(invalidValue(`${field}.operator`, operator ?? '', 'not a valid selector operator'))
  }
  return errors
}

function validateRequirement(requirement: JsonObject, field: string): FieldError[] {
  const { key } = requirement
  const values = listOf(requirement['values'])
  const errors = operatorErrors(requirement, field)
  for (const problem of labelKeyProblems(textOf(key ?? '')))
    errors.push(invalidValue(`${field}.key`, key ?? '', problem))
  for (const [index, value] of values.entries()) {
    for (const problem of labelValueProblems(String(value))) {
      errors.push(invalidValue(`${field}.values[${index}]`, value, problem))
    }
  }
  return errors
}

/** Whether a selector has no requirements. */
export function isEmptySelector(selector: unknown): boolean {
  const { matchLabels, matchExpressions } = objectOf(selector)
  return Object.keys(objectOf(matchLabels)).length === 0 && listOf(matchExpressions).length === 0
}

/** A selector as messages show it: labels before expressions. */
export function selectorText(selector: unknown): unknown {
  if (!isObject(selector)) return null
  const { matchLabels, matchExpressions } = selector
  const expressions = listOf(matchExpressions).map((item) => {
    const { key, operator, values } = objectOf(item)
    return RawJson.object(['key', key], ['operator', operator], ['values', values])
  })
  return RawJson.object(
    ['matchLabels', matchLabels],
    ['matchExpressions', expressions.length > 0 ? expressions : undefined],
  )
}
