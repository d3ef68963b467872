import { isTimeZone, parseCron } from '@homeostat/api'
import { notNegative, requiredOneOf, selectorText } from '../../checks/index.ts'
import {
  byteLength,
  equalJson,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  objectOf,
  requiredValue,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { validateJobSpec } from '../job/job-validation.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { dropFromTemplate } from '../pod-spec/disabled-fields.ts'
import { templateWarnings } from '../pod-spec/template-warnings.ts'
import { generationAndStatus } from '../status/generation-and-status.ts'
import { defaultCronJob } from './cron-job-defaults.ts'
import { cronJobPrinter } from './table.ts'

/** A Job's name is that of its CronJob and 11 characters for the time. */
const LONGEST_NAME = 52

/** CronJobs. `job/` and `pod-spec/` have the defaults and the validation of their Jobs and Pods. */
export const cronJob: NativeKind = {
  group: 'batch',
  kind: 'CronJob',
  plainStatusFinalizers: true,
  ...generationAndStatus,
  warnings: templateWarnings('spec.jobTemplate.spec.template', true),
  table: cronJobPrinter,
  default: defaultCronJob,
  dropDisabled: ({ spec }) => dropFromTemplate(objectOf(objectOf(spec)['jobTemplate'])),
  validate(object, old) {
    const spec = objectOf(object['spec'])
    const before = old && objectOf(old['spec'])
    const job = objectOf(objectOf(spec['jobTemplate'])['spec'])
    const field = 'spec.jobTemplate.spec'
    const errors = [
      ...scheduleErrors(spec, before),
      ...notNegative(spec['startingDeadlineSeconds'], 'spec.startingDeadlineSeconds'),
      ...(before && equalJson(before['timeZone'], spec['timeZone']) ? [] : zoneErrors(spec['timeZone'])),
      ...requiredOneOf(spec['concurrencyPolicy'], ['Allow', 'Forbid', 'Replace'], 'spec.concurrencyPolicy'),
      ...validateJobSpec(job, field),
    ]
    if (isObject(job['selector'])) {
      const detail = '`selector` will be auto-generated'
      errors.push(invalidValue(`${field}.selector`, selectorText(job['selector']), detail))
    }
    if (job['manualSelector'] === true) {
      errors.push(unsupportedValue(`${field}.manualSelector`, true, ['nil', 'false']))
    }
    addAll(
      errors,
      notNegative(spec['successfulJobsHistoryLimit'], 'spec.successfulJobsHistoryLimit'),
      notNegative(spec['failedJobsHistoryLimit'], 'spec.failedJobsHistoryLimit'),
    )
    const name = textOf(objectOf(object['metadata'])['name'] ?? '')
    if (!old && byteLength(name) > LONGEST_NAME) {
      errors.push(invalidValue('metadata.name', name, `must be no more than ${LONGEST_NAME} characters`))
    }
    return errors
  },
}

function scheduleErrors(spec: JsonObject, before: JsonObject | undefined): FieldError[] {
  const field = 'spec.schedule'
  const schedule = textOf(spec['schedule'] ?? '')
  if (schedule === '') return [requiredValue(field)]
  const parsed = parseCron(schedule)
  const problem = typeof parsed === 'string' ? parsed : undefined
  const errors = problem === undefined ? [] : [invalidValue(field, schedule, problem)]
  if (!schedule.includes('TZ')) return errors
  if (!textOf(before?.['schedule'] ?? '').includes('TZ')) {
    const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
    return [...errors, invalidValue(field, schedule, detail)]
  }
  if (spec['timeZone'] === undefined) return errors
  const detail = 'cannot use both timeZone field and TZ or CRON_TZ in schedule'
  return [...errors, invalidValue(field, schedule, detail)]
}

function zoneErrors(value: unknown): FieldError[] {
  if (value === undefined) return []
  const zone = textOf(value)
  const refuse = (detail: string): FieldError => invalidValue('spec.timeZone', zone, detail)
  if (zone === '') return [refuse('timeZone must be nil or non-empty string')]
  for (const part of zone.split('/')) {
    const fits = /^[A-Za-z.\-_0-9+]{1,14}$/.test(part) && !part.startsWith('-')
    if (!fits || part === '.' || part === '..') return [refuse(`unknown time zone ${zone}`)]
  }
  const errors: FieldError[] = []
  if (zone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'
    errors.push(refuse(detail))
  }
  return isTimeZone(zone) ? errors : [...errors, refuse(`unknown time zone ${zone}`)]
}
