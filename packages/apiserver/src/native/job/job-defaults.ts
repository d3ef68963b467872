import { ensureObject, objectsIn, setDefault } from '../../checks/index.ts'
import { type JsonObject, objectOf } from '../../schema/index.ts'
import { defaultPodTemplate } from '../pod-spec/pod-defaults.ts'
import { defaultLabels } from '../workload/template-labels.ts'

/** Sets the defaults of a Job. */
export function defaultJob(job: JsonObject): void {
  const spec = ensureObject(job, 'spec')
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1
  spec['parallelism'] ??= 1
  spec['backoffLimit'] ??= spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1
  defaultLabels(job)
  spec['completionMode'] ??= 'NonIndexed'
  spec['suspend'] ??= false
  // An empty `podReplacementPolicy` gets no default, and is refused by validation.
  spec['podReplacementPolicy'] ??= spec['podFailurePolicy'] ? 'Failed' : 'TerminatingOrFailed'
  spec['manualSelector'] ??= false
  defaultJobSpec(spec)
}

/** Sets the defaults of a Job's spec, also in a CronJob. */
export function defaultJobSpec(spec: JsonObject): void {
  for (const rule of objectsIn(objectOf(spec['podFailurePolicy'])['rules'])) {
    for (const pattern of objectsIn(rule['onPodConditions'])) setDefault(pattern, 'status', 'True')
  }
  defaultPodTemplate(spec)
}
