import { labelKeyProblems } from '@homeostat/api'
import { named } from '../../checks/index.ts'
import {
  type FieldError,
  invalidValue,
  type JsonObject,
  listOf,
  shownAsSent,
  textOf,
  tooMany,
} from '../../schema/index.ts'
import { repeated } from './limited-lists.ts'

const MOST_CONDITIONS = 4

/** Validates the conditions that a device must meet, and those that it must not, before a Pod is bound to it. */
export function bindingConditionErrors(device: JsonObject, field: string): FieldError[] {
  const [wanted, failures] = ['bindingConditions', 'bindingFailureConditions'] as const
  const [met, failed] = [textsIn(device[wanted]), textsIn(device[failures])]
  const overlap = `${failures} must not overlap with ${wanted}`
  return [
    ...conditionNames(met, `${field}.${wanted}`),
    ...conditionNames(failed, `${field}.${failures}`),
    ...repeated(met, `${field}.${wanted}`),
    ...repeated(failed, `${field}.${failures}`),
    ...failed.flatMap((condition, index) =>
      met.includes(condition) ? [invalidValue(`${field}.${failures}[${index}]`, condition, overlap)] : [],
    ),
    ...(met.length === 0 && failed.length > 0
      ? [
          invalidValue(
            `${field}.${wanted}`,
            shownAsSent(device, wanted, []),
            `${wanted} are required to use ${failures}`,
          ),
        ]
      : []),
    ...(failed.length === 0 && met.length > 0
      ? [
          invalidValue(
            `${field}.${failures}`,
            shownAsSent(device, failures, []),
            `${failures} are required to use ${wanted}`,
          ),
        ]
      : []),
  ]
}

function textsIn(value: unknown): string[] {
  return listOf(value).map((item) => textOf(item ?? ''))
}

function conditionNames(names: readonly string[], field: string): FieldError[] {
  if (names.length > MOST_CONDITIONS) return [tooMany(field, names.length, MOST_CONDITIONS)]
  return names.flatMap((name, index) => named(name, `${field}[${index}]`, labelKeyProblems))
}
