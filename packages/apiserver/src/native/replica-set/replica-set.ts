import { notNegative } from '../../checks/index.ts'
import { type FieldError, type JsonObject, objectOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { dropFromTemplate } from '../pod-spec/disabled-fields.ts'
import { templateWarnings } from '../pod-spec/template-warnings.ts'
import { statusCounts } from '../workload/workload-status.ts'
import { generationAndStatus } from '../status/generation-and-status.ts'
import { selectorAndTemplateErrors, validateSelectorUpdate } from '../workload/workload-validation.ts'
import { defaultReplicaSet } from './replica-set-defaults.ts'
import { replicaSetPrinter } from './table.ts'

/** ReplicaSets. */
export const replicaSet: NativeKind = {
  group: 'apps',
  kind: 'ReplicaSet',
  ...generationAndStatus,
  warnings: templateWarnings('spec.template', true),
  table: replicaSetPrinter,
  default: defaultReplicaSet,
  dropDisabled: dropFromTemplate,
  validate: validateReplicaSet,
  validateUpdate: validateSelectorUpdate,
  validateStatus: statusCounts({
    counts: [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ],
    atMostReplicas: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
  }),
}

function validateReplicaSet(object: JsonObject): FieldError[] {
  const spec = objectOf(object['spec'])
  return [
    ...notNegative(spec['replicas'], 'spec.replicas'),
    ...notNegative(spec['minReadySeconds'], 'spec.minReadySeconds'),
    ...selectorAndTemplateErrors(spec),
  ]
}
