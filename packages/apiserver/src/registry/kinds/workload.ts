import { equalJson, objectOf } from '../../schema/json.ts'
import type { KindRules } from '../kind-rules.ts'
import { specOf, type ServerObject } from '../server-object.ts'

/** What makes Pods counts generations; its status is others' to write. */
export const workloadRules: KindRules = {
  generation: true,
  prepareCreate(object) {
    object['status'] = {}
  },
}

/** ReplicaSets can be found by how many replicas they have. */
export const replicaSetRules: KindRules = {
  ...workloadRules,
  fieldNames: ['status.replicas'],
  prepareCreate(object) {
    object['status'] = { replicas: 0 }
  },
}

/** A Deployment's annotations are copied to what it makes, so that they count as well. */
export const deploymentRules: KindRules = {
  ...workloadRules,
  counts: (object, old) => !equalJson(object.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
}

/** A Job that does not choose its Pods itself gets a selector that no other has. */
export const jobRules: KindRules = {
  ...workloadRules,
  propagation: 'Orphan',
  fieldNames: ['status.successful'],
  prepareCreate(object) {
    object['status'] = {}
    const spec = { ...specOf(object) }
    object['spec'] = spec
    if (spec['manualSelector'] === true) return
    const labels = controllerLabels(object)
    const template = { ...objectOf(spec['template']) }
    const metadata = { ...objectOf(template['metadata']) }
    spec['template'] = template
    template['metadata'] = metadata
    metadata['labels'] = { ...objectOf(metadata['labels']), ...labels }
    object.metadata.labels ??= { ...(metadata['labels'] as Record<string, string>) }
    const uid = 'batch.kubernetes.io/controller-uid'
    const selector = objectOf(spec['selector'])
    spec['selector'] = {
      ...selector,
      matchLabels: { ...objectOf(selector['matchLabels']), [uid]: labels[uid] },
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
