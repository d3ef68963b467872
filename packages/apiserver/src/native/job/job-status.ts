import { notNegative, objectsIn } from '../../checks/index.ts'
import {
  duplicateValue,
  equalJson,
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
} from '../../schema/index.ts'
import { intervalsOf, validateIndexes } from './job-indexes.ts'

const NUMBERS = ['active', 'succeeded', 'failed', 'ready', 'terminating']

/** Validates a Job's new status. A rule that the old status already breaks is not checked. */
export function validateJobStatus(job: JsonObject, old: JsonObject): FieldError[] {
  const status = objectOf(job['status'])
  const before = objectOf(old['status'])
  const spec = objectOf(job['spec'])
  return [
    ...NUMBERS.flatMap((name) => notNegative(status[name], `status.${name}`)),
    ...uncountedErrors(objectOf(status['uncountedTerminatedPods'])),
    ...finishErrors(status),
    ...indexErrors(status, spec),
    ...readyErrors(status),
    ...successErrors(status, spec),
    ...changeErrors(status, before, spec),
  ]
}

function is(status: JsonObject, type: string): boolean {
  return objectsIn(status['conditions']).some((one) => one['type'] === type && one['status'] === 'True')
}

function condition(detail: string): FieldError {
  return invalidWhole('status.conditions', detail)
}

function uncountedErrors(uncounted: JsonObject): FieldError[] {
  const seen = new Set<string>()
  return ['succeeded', 'failed'].flatMap((name) =>
    listOf(uncounted[name]).flatMap((uid, index) => {
      const field = `status.uncountedTerminatedPods.${name}[${index}]`
      const text = textOf(uid)
      if (text === '') return [invalidValue(field, text, 'must not be empty')]
      if (seen.has(text)) return [duplicateValue(field, text)]
      seen.add(text)
      return []
    }),
  )
}

function finishErrors(status: JsonObject): FieldError[] {
  const { completionTime, startTime, active } = status
  const [complete, failed] = [is(status, 'Complete'), is(status, 'Failed')]
  const errors: FieldError[] = []
  if (complete && failed) errors.push(condition('cannot set Complete=True and Failed=true conditions'))
  if (complete && is(status, 'FailureTarget')) {
    errors.push(condition('cannot set Complete=True and FailureTarget=true conditions'))
  }
  if (completionTime !== undefined && !complete) {
    const detail = 'cannot set completionTime when there is no Complete=True condition'
    errors.push(invalidValue('status.completionTime', completionTime, detail))
  }
  if (completionTime === undefined && complete) {
    errors.push(requiredValue('status.completionTime', 'completionTime is required for Complete jobs'))
  }
  if (startTime !== undefined && completionTime !== undefined && textOf(completionTime) < textOf(startTime)) {
    const detail = 'must be equal to or after `startTime`'
    errors.push(invalidValue('status.completionTime', completionTime, detail))
  }
  if (failed && !is(status, 'FailureTarget')) {
    errors.push(condition('cannot set Failed=True condition without the FailureTarget=true condition'))
  }
  if (complete && !is(status, 'SuccessCriteriaMet')) {
    errors.push(condition('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'))
  }
  if (!complete && !failed) return errors
  if (Number(active ?? 0) > 0) {
    errors.push(invalidValue('status.active', active, 'active>0 is invalid for finished job'))
  }
  if (startTime === undefined) {
    errors.push(requiredValue('status.startTime', 'startTime is required for finished job'))
  }
  const uncounted = objectOf(status['uncountedTerminatedPods'])
  if (listOf(uncounted['failed']).length + listOf(uncounted['succeeded']).length > 0) {
    const shown = { Succeeded: uncounted['succeeded'] ?? null, Failed: uncounted['failed'] ?? null }
    const detail = 'must be empty for finished job'
    errors.push(invalidValue('status.uncountedTerminatedPods', shown, detail))
  }
  return errors
}

function indexErrors(status: JsonObject, spec: JsonObject): FieldError[] {
  const completed = textOf(status['completedIndexes'] ?? '')
  const { failedIndexes } = status
  const completions = spec['completions']
  const errors: FieldError[] = []
  if (isNumber(completions)) {
    const problem = validateIndexes(completed, completions)
    if (typeof problem === 'string') {
      const detail = `error parsing completedIndexes: ${problem}`
      errors.push(invalidValue('status.completedIndexes', completed, detail))
    }
    if (spec['backoffLimitPerIndex'] !== undefined && failedIndexes !== undefined) {
      const wrong = validateIndexes(textOf(failedIndexes), completions)
      if (typeof wrong === 'string') {
        const detail = `error parsing failedIndexes: ${wrong}`
        errors.push(invalidValue('status.failedIndexes', failedIndexes, detail))
      }
    }
  }
  if (completed !== '' && spec['completionMode'] !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode'
    errors.push(invalidValue('status.completedIndexes', completed, detail))
  }
  if (failedIndexes === undefined) return errors
  if (spec['backoffLimitPerIndex'] === undefined) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'
    errors.push(invalidValue('status.failedIndexes', failedIndexes, detail))
  }
  if (!isNumber(completions)) return errors
  const done = intervalsOf(completed, completions)
  for (const [from, to] of intervalsOf(textOf(failedIndexes), completions)) {
    const other = done.find(([first, last]) => first <= to && from <= last)
    if (!other) continue
    const detail = `failedIndexes and completedIndexes overlap at index: ${Math.max(other[0], from)}`
    return [...errors, invalidValue('status.failedIndexes', failedIndexes, detail)]
  }
  return errors
}

function readyErrors(status: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  const { terminating, ready } = status
  const finished = is(status, 'Complete') || is(status, 'Failed')
  if (finished && Number(terminating ?? 0) > 0) {
    const detail = 'terminating>0 is invalid for finished job'
    errors.push(invalidValue('status.terminating', terminating, detail))
  }
  if (ready !== undefined && Number(ready) > Number(status['active'] ?? 0)) {
    errors.push(invalidValue('status.ready', ready, 'cannot set more ready pods than active'))
  }
  return errors
}

function successErrors(status: JsonObject, spec: JsonObject): FieldError[] {
  const met = is(status, 'SuccessCriteriaMet')
  const errors: FieldError[] = []
  if (met && is(status, 'Failed')) {
    errors.push(condition('cannot set SuccessCriteriaMet=True and Failed=true conditions'))
  }
  if (met && is(status, 'FailureTarget')) {
    errors.push(condition('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'))
  }
  if (isObject(spec['successPolicy']) && !met && is(status, 'Complete')) {
    const detail = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True'
    errors.push(condition(detail))
  }
  return errors
}

function changeErrors(status: JsonObject, before: JsonObject, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (is(before, type) && !is(status, type)) {
      errors.push(condition(`cannot disable the terminal ${type}=True condition`))
    }
  }
  // Fewer completions leave fewer indexes that can have succeeded.
  const elastic = spec['completionMode'] === 'Indexed' && spec['completions'] === spec['parallelism']
  for (const name of elastic ? ['failed'] : ['failed', 'succeeded']) {
    if (Number(status[name] ?? 0) >= Number(before[name] ?? 0)) continue
    const detail = `cannot decrease the ${name} counter`
    errors.push(invalidValue(`status.${name}`, Number(status[name] ?? 0), detail))
  }
  const { completionTime, startTime } = status
  if (
    completionTime !== undefined &&
    before['completionTime'] !== undefined &&
    !equalJson(completionTime, before['completionTime'])
  ) {
    errors.push(invalidValue('status.completionTime', completionTime, 'field is immutable'))
  }
  const moved = before['startTime'] !== undefined && !equalJson(startTime, before['startTime'])
  const resumed =
    is(before, 'Suspended') &&
    objectsIn(status['conditions']).some((one) => one['type'] === 'Suspended' && one['status'] === 'False')
  if (moved && spec['suspend'] !== true && !resumed) {
    const detail = 'field is immutable for unsuspended job once set'
    errors.push(invalidValue('status.startTime', startTime ?? null, detail))
  }
  if (is(before, 'SuccessCriteriaMet') && !is(status, 'SuccessCriteriaMet')) {
    errors.push(condition('cannot disable the SuccessCriteriaMet=True condition'))
  }
  return errors
}
