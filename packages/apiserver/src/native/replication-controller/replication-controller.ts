import { fieldAt } from '../../registry/index.ts'
import { notNegative } from '../../checks/index.ts'
import { isObject, objectOf, requiredValue } from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { dropFromTemplate } from '../pod-spec/disabled-fields.ts'
import { templateWarnings } from '../pod-spec/template-warnings.ts'
import { statusCounts } from '../workload/workload-status.ts'
import { defaultLabels } from '../workload/template-labels.ts'
import { generationAndStatus } from '../status/generation-and-status.ts'
import { selectorMismatch, validateRunningTemplate } from '../workload/workload-validation.ts'
import { defaultReplicationController } from './replication-controller-defaults.ts'
import { replicationControllerPrinter } from './table.ts'

const warnings = templateWarnings('spec.template', true)

/** ReplicationControllers, whose selector is a map of labels. */
export const replicationController: NativeKind = {
  group: '',
  kind: 'ReplicationController',
  ...generationAndStatus,
  uncheckedGenerateName: true,
  // By default its Pods outlive it, unlike those of other workloads.
  propagation: 'Orphan',
  fieldLabels: { read: { 'status.replicas': fieldAt('status.replicas', '0') } },
  // As in Kubernetes, an update gets the warnings of the old template.
  warnings: (object, old) => (old ? warnings(old, object) : warnings(object, undefined)),
  table: replicationControllerPrinter,
  default: defaultReplicationController,
  dropDisabled: dropFromTemplate,
  prepareStatus: defaultLabels,
  validate(object) {
    const spec = objectOf(object['spec'])
    const selector = objectOf(spec['selector'])
    const errors = notNegative(spec['minReadySeconds'], 'spec.minReadySeconds')
    if (Object.keys(selector).length === 0) errors.push(requiredValue('spec.selector'))
    addAll(errors, notNegative(spec['replicas'], 'spec.replicas'))
    if (!isObject(spec['template'])) return [...errors, requiredValue('spec.template')]
    return [
      ...errors,
      ...selectorMismatch({ matchLabels: selector }, spec['template']),
      ...validateRunningTemplate(spec['template'], 'ReplicationController'),
    ]
  },
  validateStatus: statusCounts({
    counts: ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
    atMostReplicas: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
  }),
}
