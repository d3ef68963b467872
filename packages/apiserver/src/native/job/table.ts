import { AGE, age, column, NAME, nameOf, shortDuration } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'
import { conditionOf } from '../table-cells/table-cells.ts'
import { TEMPLATE, template } from '../workload/template-cells.ts'

export const jobPrinter: Printer = {
  columns: [NAME, column('Status'), column('Completions'), column('Duration'), AGE, ...TEMPLATE],
  cells: (object, now) => [
    nameOf(object),
    jobState(object),
    completions(object),
    jobDuration(object.status ?? {}, now),
    age(object, now),
    ...template(object),
  ],
}

/** Conditions in the order of their precedence. A deletion takes precedence over those that are not final. */
function jobState(job: PrintedObject): string {
  const is = (type: string) => conditionOf(job.status?.conditions, type)?.status === 'True'
  const final = ['Complete', 'Failed'].find(is)
  if (final) return final
  if (job.metadata?.deletionTimestamp) return 'Terminating'
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running'
}

function completions(job: PrintedObject): string {
  const succeeded = job.status?.succeeded ?? 0
  const wanted = job.spec?.completions
  if (typeof wanted === 'number') return `${succeeded}/${wanted}`
  const parallelism = job.spec?.parallelism ?? 0
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function jobDuration(status: PrintedObject, now: number): string {
  if (!status.startTime) return ''
  const end = status.completionTime ? Date.parse(status.completionTime) : now
  return shortDuration(end - Date.parse(status.startTime))
}
