import { labelKeyProblems, labelValueProblems } from '@homeostat/api'
import { named, requiredOneOf } from '../../checks/index.ts'
import {
  type FieldError,
  invalidValue,
  type JsonObject,
  requiredValue,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'

const EFFECTS = ['NoExecute', 'NoSchedule', 'None']

/** Validates a taint of a device. */
export function taintErrors({ key, value, effect }: JsonObject, field: string): FieldError[] {
  return [
    ...named(key, `${field}.key`, labelKeyProblems),
    ...named(value, `${field}.value`, labelValueProblems),
    ...requiredOneOf(effect, EFFECTS, `${field}.effect`),
  ]
}

/** Validates what taints a claim tolerates. */
export function tolerationErrors({ key, operator, value, effect }: JsonObject, field: string): FieldError[] {
  const errors = key ? named(key, `${field}.key`, labelKeyProblems) : []
  if (operator === 'Exists') {
    if (value) errors.push(invalidValue(`${field}.value`, value, 'must be empty for operator `Exists`'))
  } else if (operator === 'Equal') addAll(errors, named(value, `${field}.value`, labelValueProblems))
  else if (!operator) errors.push(requiredValue(`${field}.operator`))
  else errors.push(unsupportedValue(`${field}.operator`, operator, ['Equal', 'Exists']))
  if (effect) addAll(errors, requiredOneOf(effect, EFFECTS, `${field}.effect`))
  return errors
}
