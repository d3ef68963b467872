import { parseApiVersion } from '@homeostat/api'
import { ageOf, shortDuration } from './age.ts'
import {
  AGE,
  age,
  column,
  conditionOf,
  containers,
  labels,
  labelSelector,
  NAME,
  nameOf,
  wide,
  type Printer,
  type Stored,
} from './printer.ts'

const TEMPLATE = [wide('Containers'), wide('Images'), wide('Selector')] as const

/** The wide cells of a workload: its containers, their images, what it selects. */
function template(object: Stored): string[] {
  return [...containers(object.spec?.template?.spec), labelSelector(object.spec?.selector)]
}

export const deploymentPrinter: Printer = {
  columns: [NAME, column('Ready'), column('Up-to-date'), column('Available'), AGE, ...TEMPLATE],
  cells: (object, now) => [
    nameOf(object),
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    object.status?.updatedReplicas ?? 0,
    object.status?.availableReplicas ?? 0,
    age(object, now),
    ...template(object),
  ],
}

export const replicaSetPrinter: Printer = {
  columns: [
    NAME,
    column('Desired', 'integer'),
    column('Current', 'integer'),
    column('Ready', 'integer'),
    AGE,
    ...TEMPLATE,
  ],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.replicas ?? 0,
    object.status?.replicas ?? 0,
    object.status?.readyReplicas ?? 0,
    age(object, now),
    ...template(object),
  ],
}

export const replicationControllerPrinter: Printer = {
  columns: replicaSetPrinter.columns,
  cells: (object, now) => [
    ...replicaSetPrinter.cells(object, now).slice(0, -1),
    labels(object.spec?.selector),
  ],
}

export const podTemplatePrinter: Printer = {
  columns: [NAME, column('Containers'), column('Images'), column('Pod Labels')],
  cells: (object) => [
    nameOf(object),
    ...containers(object.template?.spec),
    labels(object.template?.metadata?.labels),
  ],
}

export const statefulSetPrinter: Printer = {
  columns: [NAME, column('Ready'), AGE, wide('Containers'), wide('Images')],
  cells: (object, now) => [
    nameOf(object),
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    age(object, now),
    ...containers(object.spec?.template?.spec),
  ],
}

export const daemonSetPrinter: Printer = {
  columns: [
    NAME,
    column('Desired', 'integer'),
    column('Current', 'integer'),
    column('Ready', 'integer'),
    column('Up-to-date', 'integer'),
    column('Available', 'integer'),
    column('Node Selector'),
    AGE,
    ...TEMPLATE,
  ],
  cells: (object, now) => [
    nameOf(object),
    object.status?.desiredNumberScheduled ?? 0,
    object.status?.currentNumberScheduled ?? 0,
    object.status?.numberReady ?? 0,
    object.status?.updatedNumberScheduled ?? 0,
    object.status?.numberAvailable ?? 0,
    labels(object.spec?.template?.spec?.nodeSelector),
    age(object, now),
    ...template(object),
  ],
}

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

/** In the order in which they win over each other; an ongoing deletion comes between the final and the passing ones. */
function jobState(job: Stored): string {
  const is = (type: string) => conditionOf(job.status?.conditions, type)?.status === 'True'
  const final = ['Complete', 'Failed'].find(is)
  if (final) return final
  if (job.metadata?.deletionTimestamp) return 'Terminating'
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running'
}

function completions(job: Stored): string {
  const succeeded = job.status?.succeeded ?? 0
  const wanted = job.spec?.completions
  if (typeof wanted === 'number') return `${succeeded}/${wanted}`
  const parallelism = job.spec?.parallelism ?? 0
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function jobDuration(status: Stored, now: number): string {
  if (!status.startTime) return ''
  const end = status.completionTime ? Date.parse(status.completionTime) : now
  return shortDuration(end - Date.parse(status.startTime))
}

export const cronJobPrinter: Printer = {
  columns: [
    NAME,
    column('Schedule'),
    column('Timezone'),
    column('Suspend', 'boolean'),
    column('Active', 'integer'),
    column('Last Schedule'),
    AGE,
    ...TEMPLATE,
  ],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.schedule ?? '',
    object.spec?.timeZone ?? '<none>',
    object.spec?.suspend === undefined ? '<unset>' : object.spec.suspend ? 'True' : 'False',
    (object.status?.active ?? []).length,
    object.status?.lastScheduleTime ? ageOf(object.status.lastScheduleTime, now) : '<none>',
    age(object, now),
    ...template(object.spec?.jobTemplate ?? {}),
  ],
}

export const controllerRevisionPrinter: Printer = {
  columns: [NAME, column('Controller'), column('Revision'), AGE],
  cells(object, now) {
    const owner = object.metadata?.ownerReferences?.find((owner: Stored) => owner.controller)
    return [nameOf(object), owner ? ownerName(owner) : '<none>', object.revision ?? 0, age(object, now)]
  },
}

/** `statefulset.apps/web`. */
function ownerName(owner: Stored): string {
  const { group } = parseApiVersion(owner.apiVersion)
  return `${(group === '' ? owner.kind : `${owner.kind}.${group}`).toLowerCase()}/${owner.name}`
}
