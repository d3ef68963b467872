import { equalJson, objectOf } from '../../schema/json.ts'
import { TEMPLATE_GENERATION } from '../../native/workload/workload-defaults.ts'
import { fieldAt } from '../field-labels.ts'
import type { KindRules } from '../kind-rules.ts'
import { specOf, type ServerObject } from '../server-object.ts'
import { clearStatus } from './clear-status.ts'

/** What makes Pods counts generations; its status is others' to write. */
export const workloadRules: KindRules = {
  generation: true,
  prepareCreate: clearStatus,
}

/** ReplicationControllers leave their Pods when they go, as they always did. */
export const replicationControllerRules: KindRules = {
  ...workloadRules,
  propagation: 'Orphan',
  fieldLabels: { read: { 'status.replicas': fieldAt('status.replicas', '0') } },
}

/** DaemonSets count the generations of their template in an annotation. */
export const daemonSetRules: KindRules = {
  ...workloadRules,
  prepareCreate(object, context) {
    clearStatus(object, context)
    countTemplates(object, 1)
  },
  prepareUpdate(object, old) {
    const before = Number(objectOf(old.metadata.annotations)[TEMPLATE_GENERATION] ?? 0)
    const same = equalJson(specOf(object)['template'], specOf(old)['template'])
    countTemplates(object, same ? before : before + 1)
  },
}

function countTemplates({ metadata }: ServerObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) }
}

/** A Deployment's annotations are copied to what it makes, so that they count as well. Its status leaves its labels. */
export const deploymentRules: KindRules = {
  ...workloadRules,
  prepareStatus(object, old) {
    if (old.metadata.labels) object.metadata.labels = { ...old.metadata.labels }
    else delete object.metadata.labels
  },
  counts: (object, old) => !equalJson(object.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
}

/** A Job that does not choose its Pods itself gets a selector that no other has. */
export const jobRules: KindRules = {
  ...workloadRules,
  propagation: 'Orphan',
  deletionWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  fieldLabels: {
    read: { 'status.successful': fieldAt('status.succeeded', '0') },
    refusal: (label) => `field label ${JSON.stringify(label)} not supported for Job`,
  },
  prepareCreate(object, context) {
    clearStatus(object, context)
    const spec = { ...specOf(object) }
    object['spec'] = spec
    if (spec['manualSelector'] === true) return
    const labels = controllerLabels(object)
    const template = { ...objectOf(spec['template']) }
    const metadata = { ...objectOf(template['metadata']) }
    spec['template'] = template
    template['metadata'] = metadata
    // Labels that were taken from the template go on following it.
    const followed = equalJson(object.metadata.labels, metadata['labels'])
    metadata['labels'] = { ...labels, ...objectOf(metadata['labels']) }
    if (followed) object.metadata.labels = { ...(metadata['labels'] as Record<string, string>) }
    object.metadata.labels ??= { ...(metadata['labels'] as Record<string, string>) }
    const uid = 'batch.kubernetes.io/controller-uid'
    const selector = objectOf(spec['selector'])
    spec['selector'] = {
      ...selector,
      matchLabels: { [uid]: labels[uid], ...objectOf(selector['matchLabels']) },
    }
  },
}

function controllerLabels({ metadata }: ServerObject): Record<string, string> {
  const { uid = '', name = '' } = metadata
  return {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  }
}
