import { eachObject, notNegative, objectsIn, oneOf, qualifiedName } from '../../checks/index.ts'
import {
  byteLength,
  duplicateValue,
  type FieldError,
  invalidValue,
  invalidWhole,
  isNumber,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  requiredValue,
  textOf,
  tooLong,
  tooMany,
  wasSentEmpty,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { validateIndexes } from './job-indexes.ts'

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const STATES = ['False', 'True', 'Unknown']

function listed(words: readonly string[]): string {
  return `valid values: [${words.map((word) => JSON.stringify(word)).join(' ')}]`
}

/** Validates how a Job treats failed Pods. */
export function failurePolicyErrors(spec: JsonObject, field: string): FieldError[] {
  const { podFailurePolicy } = spec
  if (!isObject(podFailurePolicy)) return []
  const rules = listOf(podFailurePolicy['rules'])
  const pod = objectOf(objectOf(spec['template'])['spec'])
  const names = new Set(
    [...objectsIn(pod['containers']), ...objectsIn(pod['initContainers'])].map(({ name }) => name),
  )
  const errors = rules.length > 20 ? [tooMany(`${field}.rules`, rules.length, 20)] : []
  return [
    ...errors,
    ...eachObject(rules, `${field}.rules`, (rule, at) => {
      const { action, onExitCodes } = rule
      const conditions = listOf(rule['onPodConditions'])
      const wrong: FieldError[] = []
      if (!action) wrong.push(requiredValue(`${at}.action`, listed(ACTIONS)))
      else if (action === 'FailIndex') {
        if (spec['backoffLimitPerIndex'] === undefined) {
          const detail = 'requires the backoffLimitPerIndex to be set'
          wrong.push(invalidValue(`${at}.action`, action, detail))
        }
      } else addAll(wrong, oneOf(action, ACTIONS, `${at}.action`))
      if (isObject(onExitCodes)) addAll(wrong, exitCodeErrors(onExitCodes, `${at}.onExitCodes`, names))
      addAll(wrong, conditionErrors(conditions, `${at}.onPodConditions`))
      if (isObject(onExitCodes) && conditions.length > 0) {
        wrong.push(invalidWhole(at, 'specifying both OnExitCodes and OnPodConditions is not supported'))
      }
      if (!isObject(onExitCodes) && conditions.length === 0) {
        wrong.push(invalidWhole(at, 'specifying one of OnExitCodes and OnPodConditions is required'))
      }
      return wrong
    }),
  ]
}

function conditionErrors(conditions: readonly unknown[], field: string): FieldError[] {
  const errors = conditions.length > 20 ? [tooMany(field, conditions.length, 20)] : []
  return [
    ...errors,
    ...eachObject(conditions, field, ({ type, status }, at) => [
      ...qualifiedName(type, `${at}.type`),
      ...(status ? oneOf(status, STATES, `${at}.status`) : [requiredValue(`${at}.status`, listed(STATES))]),
    ]),
  ]
}

function exitCodeErrors(codes: JsonObject, field: string, names: ReadonlySet<unknown>): FieldError[] {
  const { operator, containerName } = codes
  const values = listOf(codes['values'])
  const errors = operator
    ? oneOf(operator, ['In', 'NotIn'], `${field}.operator`)
    : [requiredValue(`${field}.operator`, listed(['In', 'NotIn']))]
  if (containerName !== undefined && !names.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template'
    errors.push(invalidValue(`${field}.containerName`, containerName, detail))
  }
  if (values.length === 0) {
    const shown = wasSentEmpty(codes, 'values') ? [] : null
    errors.push(invalidValue(`${field}.values`, shown, 'at least one value is required'))
  } else if (values.length > 255) errors.push(tooMany(`${field}.values`, values.length, 255))
  const seen = new Set<unknown>()
  for (const [index, value] of values.entries()) {
    const at = `${field}.values[${index}]`
    if (operator === 'In' && value === 0) {
      errors.push(invalidValue(at, value, 'must not be 0 for the In operator'))
    }
    if (seen.has(value)) errors.push(duplicateValue(at, value))
    seen.add(value)
  }
  const ordered = values.every((value, index) => index === 0 || Number(values[index - 1]) <= Number(value))
  return ordered ? errors : [...errors, invalidValue(`${field}.values`, values, 'must be ordered')]
}

/** Validates when an indexed Job counts as successful. */
export function successPolicyErrors(spec: JsonObject, field: string): FieldError[] {
  const { successPolicy, completionMode } = spec
  if (!isObject(successPolicy)) return []
  if (completionMode !== 'Indexed') {
    const rules = listOf(successPolicy['rules']).map((rule) => ({
      SucceededIndexes: objectOf(rule)['succeededIndexes'] ?? null,
      SucceededCount: objectOf(rule)['succeededCount'] ?? null,
    }))
    return [invalidValue(field, { Rules: rules }, 'requires indexed completion mode')]
  }
  const rules = listOf(successPolicy['rules'])
  const at = `${field}.rules`
  const errors: FieldError[] = []
  if (rules.length === 0) {
    const detail = 'at least one rules must be specified when the successPolicy is specified'
    errors.push(requiredValue(at, detail))
  }
  if (rules.length > 20) errors.push(tooMany(at, rules.length, 20))
  const completions = Number(spec['completions'] ?? 0)
  return [...errors, ...eachObject(rules, at, (rule, where) => successErrors(rule, where, completions))]
}

function successErrors(rule: JsonObject, field: string, completions: number): FieldError[] {
  const { succeededCount, succeededIndexes } = rule
  const errors: FieldError[] = []
  if (succeededCount === undefined && succeededIndexes === undefined) {
    const detail = 'at least one of succeededCount or succeededIndexes must be specified'
    errors.push(requiredValue(field, detail))
  }
  let total = 0
  if (succeededIndexes !== undefined) {
    const at = `${field}.succeededIndexes`
    const text = textOf(succeededIndexes)
    if (byteLength(text) > 64 * 1024) errors.push(tooLong(at, 64 * 1024))
    const indexes = validateIndexes(text, completions)
    if (isNumber(indexes)) total = indexes
    else errors.push(invalidValue(at, text, `error parsing succeededIndexes: ${indexes}`))
  }
  if (!isNumber(succeededCount)) return errors
  const at = `${field}.succeededCount`
  addAll(errors, notNegative(succeededCount, at))
  if (succeededCount > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`
    errors.push(invalidValue(at, succeededCount, detail))
  }
  if (succeededIndexes !== undefined && succeededCount > total) {
    const detail = `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`
    errors.push(invalidValue(at, succeededCount, detail))
  }
  return errors
}
