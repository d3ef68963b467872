import { fieldsAtPaths } from '../../fields/index.ts'
import { amountOf, atMostAll, countOrPercent, notNegative } from '../../checks/index.ts'
import {
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isNumber,
  isObject,
  type JsonObject,
  objectOf,
  requiredValue,
  unsupportedValue,
} from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { dropFromTemplate } from '../pod-spec/disabled-fields.ts'
import { templateWarnings } from '../pod-spec/template-warnings.ts'
import { statusCounts } from '../workload/workload-status.ts'
import { generationAndStatus } from '../status/generation-and-status.ts'
import {
  selectorAndTemplateErrors,
  shownStrategy,
  validateSelectorUpdate,
} from '../workload/workload-validation.ts'
import { defaultDeployment } from './deployment-defaults.ts'
import { deploymentPrinter } from './table.ts'

/** Deployments. */
export const deployment: NativeKind = {
  group: 'apps',
  kind: 'Deployment',
  ...generationAndStatus,
  // The controller copies annotations to ReplicaSets, so that a change of annotations is a new generation.
  counts: (object, old) => !equalJson(object.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
  // A write of the status does not change labels.
  resetFields: { status: fieldsAtPaths('spec', 'metadata.labels') },
  prepareStatus(object, old) {
    if (old.metadata.labels) object.metadata.labels = { ...old.metadata.labels }
    else delete object.metadata.labels
  },
  warnings: templateWarnings('spec.template', true),
  table: deploymentPrinter,
  default: defaultDeployment,
  dropDisabled: dropFromTemplate,
  validate: validateDeployment,
  validateUpdate: validateSelectorUpdate,
  validateStatus: statusCounts({
    counts: [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ],
    atMostReplicas: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
    collisions: true,
  }),
}

function validateDeployment(object: JsonObject): FieldError[] {
  const spec = objectOf(object['spec'])
  const errors = [
    ...notNegative(spec['replicas'], 'spec.replicas'),
    ...selectorAndTemplateErrors(spec),
    ...strategyErrors(objectOf(spec['strategy']), 'spec.strategy'),
    ...notNegative(spec['minReadySeconds'], 'spec.minReadySeconds'),
    ...notNegative(spec['revisionHistoryLimit'], 'spec.revisionHistoryLimit'),
    ...notNegative(spec['progressDeadlineSeconds'], 'spec.progressDeadlineSeconds'),
  ]
  const { progressDeadlineSeconds, minReadySeconds = 0 } = spec
  if (isNumber(progressDeadlineSeconds) && progressDeadlineSeconds <= Number(minReadySeconds)) {
    const detail = 'must be greater than minReadySeconds'
    errors.push(invalidValue('spec.progressDeadlineSeconds', progressDeadlineSeconds, detail))
  }
  return errors
}

function strategyErrors(strategy: JsonObject, field: string): FieldError[] {
  const { type, rollingUpdate } = strategy
  if (type === 'Recreate') {
    const detail = "may not be specified when strategy `type` is 'Recreate'"
    return rollingUpdate === undefined ? [] : [forbiddenValue(`${field}.rollingUpdate`, detail)]
  }
  if (type !== 'RollingUpdate') {
    return [unsupportedValue(field, shownStrategy(strategy), ['Recreate', 'RollingUpdate'])]
  }
  const at = `${field}.rollingUpdate`
  if (!isObject(rollingUpdate)) return [requiredValue(at, 'this should be defaulted and never be nil')]
  const { maxSurge, maxUnavailable } = rollingUpdate
  const errors = [
    ...countOrPercent(maxUnavailable, `${at}.maxUnavailable`),
    ...countOrPercent(maxSurge, `${at}.maxSurge`),
  ]
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    errors.push(invalidValue(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'))
  }
  return [...errors, ...atMostAll(maxUnavailable, `${at}.maxUnavailable`)]
}
