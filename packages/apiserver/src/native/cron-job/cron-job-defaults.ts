import { ensureObject, setDefault } from '../../checks/index.ts'
import type { JsonObject } from '../../schema/index.ts'
import { defaultJobSpec } from '../job/job-defaults.ts'

/** Sets the defaults of a CronJob. */
export function defaultCronJob(cronJob: JsonObject): void {
  const spec = ensureObject(cronJob, 'spec')
  setDefault(spec, 'concurrencyPolicy', 'Allow')
  spec['suspend'] ??= false
  spec['successfulJobsHistoryLimit'] ??= 3
  spec['failedJobsHistoryLimit'] ??= 1
  const template = ensureObject(spec, 'jobTemplate')
  ensureObject(template, 'metadata')
  defaultJobSpec(ensureObject(template, 'spec'))
}
