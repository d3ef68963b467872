import { fieldAt, type KindStrategy, type ServerObject, specOf } from '../../registry/index.ts'
import { objectOf } from '../../schema/index.ts'
import { clearStatus } from '../status/clear-status.ts'
import { generationAndStatus } from '../status/generation-and-status.ts'
import { defaultLabels, followTemplate } from '../workload/template-labels.ts'

/** A Job without a manual selector gets a unique one. */
export const jobStrategy: KindStrategy = {
  ...generationAndStatus,
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
    metadata['labels'] = { ...labels, ...objectOf(metadata['labels']) }
    if (followTemplate(object.metadata.labels))
      object.metadata.labels = { ...(metadata['labels'] as Record<string, string>) }
    object.metadata.labels ??= { ...(metadata['labels'] as Record<string, string>) }
    const uid = 'batch.kubernetes.io/controller-uid'
    const selector = objectOf(spec['selector'])
    spec['selector'] = {
      ...selector,
      matchLabels: { [uid]: labels[uid], ...objectOf(selector['matchLabels']) },
    }
  },
  prepareStatus: defaultLabels,
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
