import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
  type FieldError,
} from '../../schema/field-error.ts'
import { RawJson } from '../../schema/go-text.ts'
import { equalJson, isNumber, isObject, objectOf, type JsonObject } from '../../schema/json.ts'
import { amountOf, atMostAll, countOrPercent, notNegative, unchanged } from '../checks/checks.ts'
import { isEmptySelector, selectorText, selects, validateLabelSelector } from '../checks/label-selector.ts'
import type { NativeBehaviour } from '../kind/native-behaviour.ts'
import { validatePodTemplate } from '../pod-template/pod-validation.ts'
import {
  defaultDaemonSet,
  defaultDeployment,
  defaultReplicaSet,
  defaultReplicationController,
} from './workload-defaults.ts'
import { dropFromTemplate } from '../pod-template/disabled-fields.ts'
import { statusCounts } from './workload-status.ts'
import { addAll } from '../../work/index.ts'

const MISMATCH = '`selector` does not match template `labels`'

/** Deployments. */
export const deployment: NativeBehaviour = {
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

/** ReplicaSets. */
export const replicaSet: NativeBehaviour = {
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

/** ReplicationControllers, which have a plain selector. */
export const replicationController: NativeBehaviour = {
  default: defaultReplicationController,
  dropDisabled: dropFromTemplate,
  validate(object) {
    const spec = objectOf(object['spec'])
    const selector = objectOf(spec['selector'])
    const errors = notNegative(spec['minReadySeconds'], 'spec.minReadySeconds')
    if (Object.keys(selector).length === 0) errors.push(requiredValue('spec.selector'))
    addAll(errors, notNegative(spec['replicas'], 'spec.replicas'))
    if (!isObject(spec['template'])) return [...errors, requiredValue('spec.template')]
    const { labels } = objectOf(spec['template']['metadata'])
    if (!selects({ matchLabels: selector }, labels)) {
      errors.push(invalidValue('spec.template.metadata.labels', labels ?? null, MISMATCH))
    }
    return [...errors, ...validateRunningTemplate(spec['template'], 'ReplicationController')]
  },
  validateStatus: statusCounts({
    counts: ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
    atMostReplicas: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
  }),
}

/** DaemonSets. */
export const daemonSet: NativeBehaviour = {
  default: defaultDaemonSet,
  dropDisabled: dropFromTemplate,
  validate(object) {
    const spec = objectOf(object['spec'])
    const template = objectOf(spec['template'])
    const { selector } = spec
    const errors = validateLabelSelector(selector, 'spec.selector')
    const { labels } = objectOf(template['metadata'])
    if (errors.length === 0 && !selects(selector, labels)) {
      errors.push(invalidValue('spec.template.metadata.labels', labels ?? null, MISMATCH))
    }
    if (isObject(selector) && isEmptySelector(selector)) {
      errors.push(invalidValue('spec.selector', {}, 'empty selector is invalid for daemonset'))
    }
    return [
      ...errors,
      ...validateRunningTemplate(template, 'DaemonSet'),
      ...notNegative(spec['minReadySeconds'], 'spec.minReadySeconds'),
      ...daemonStrategyErrors(objectOf(spec['updateStrategy']), 'spec.updateStrategy'),
      ...notNegative(spec['revisionHistoryLimit'], 'spec.revisionHistoryLimit'),
    ]
  },
  updateSteps: ['metadata change', 'change', 'object'],
  validateUpdate: validateSelectorUpdate,
  validateStatus: statusCounts({
    counts: [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ],
    collisions: true,
  }),
}

function validateDeployment(object: JsonObject): FieldError[] {
  const spec = objectOf(object['spec'])
  const errors = [
    ...notNegative(spec['replicas'], 'spec.replicas'),
    ...selectorErrors(spec),
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

function validateReplicaSet(object: JsonObject): FieldError[] {
  const spec = objectOf(object['spec'])
  return [
    ...notNegative(spec['replicas'], 'spec.replicas'),
    ...notNegative(spec['minReadySeconds'], 'spec.minReadySeconds'),
    ...selectorErrors(spec),
  ]
}

/** A selector is for life: what it chose before would be left without an owner. */
function validateSelectorUpdate(workload: JsonObject, old: JsonObject): FieldError[] {
  const { selector } = objectOf(workload['spec'])
  return unchanged(selector, objectOf(old['spec'])['selector'], 'spec.selector', selectorText(selector))
}

function selectorErrors(spec: JsonObject): FieldError[] {
  const { selector } = spec
  const template = objectOf(spec['template'])
  if (!isObject(selector)) {
    return [requiredValue('spec.selector'), ...templateErrors(template, undefined)]
  }
  const errors = validateLabelSelector(selector, 'spec.selector')
  if (isEmptySelector(selector)) {
    errors.push(invalidValue('spec.selector', {}, 'empty selector is invalid for deployment'))
  }
  if (validateLabelSelector(selector, '').length > 0) {
    return [...errors, invalidValue('spec.selector', selectorText(selector), 'invalid label selector')]
  }
  return [...errors, ...templateErrors(template, selector)]
}

function templateErrors(template: JsonObject, selector: JsonObject | undefined): FieldError[] {
  const { labels } = objectOf(template['metadata'])
  // No selector chooses nothing, and an empty one everything.
  const wrong = selector === undefined || (!isEmptySelector(selector) && !selects(selector, labels))
  return [
    ...(wrong ? [invalidValue('spec.template.metadata.labels', labels ?? null, MISMATCH)] : []),
    ...validateRunningTemplate(template, 'ReplicaSet'),
  ]
}

/** What is wrong with the template of Pods that are to run for ever. */
function validateRunningTemplate(template: JsonObject, owner: string): FieldError[] {
  const spec = objectOf(template['spec'])
  const errors = validatePodTemplate(template, 'spec.template')
  if (spec['restartPolicy'] !== 'Always') {
    errors.push(unsupportedValue('spec.template.spec.restartPolicy', spec['restartPolicy'] ?? '', ['Always']))
  }
  if (spec['activeDeadlineSeconds'] !== undefined) {
    const detail = `activeDeadlineSeconds in ${owner} is not Supported`
    errors.push(forbiddenValue('spec.template.spec.activeDeadlineSeconds', detail))
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
    const shown = RawJson.object(['Type', type], ['RollingUpdate', null])
    return [unsupportedValue(field, shown, ['Recreate', 'RollingUpdate'])]
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

function daemonStrategyErrors(strategy: JsonObject, field: string): FieldError[] {
  const { type, rollingUpdate } = strategy
  if (type === 'OnDelete') return []
  if (type !== 'RollingUpdate') {
    const shown = RawJson.object(['Type', type], ['RollingUpdate', null])
    return [unsupportedValue(field, shown, ['RollingUpdate', 'OnDelete'])]
  }
  const at = `${field}.rollingUpdate`
  if (!isObject(rollingUpdate)) return [requiredValue(at)]
  const { maxSurge, maxUnavailable } = rollingUpdate
  const errors = [
    ...countOrPercent(maxUnavailable, `${at}.maxUnavailable`),
    ...countOrPercent(maxSurge, `${at}.maxSurge`),
    ...atMostAll(maxUnavailable, `${at}.maxUnavailable`),
    ...atMostAll(maxSurge, `${at}.maxSurge`),
  ]
  const [gone, more] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0]
  if (gone && more) {
    const detail = 'may not be set when maxUnavailable is non-zero'
    errors.push(invalidValue(`${at}.maxSurge`, maxSurge, detail))
  } else if (!gone && !more) {
    errors.push(requiredValue(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'))
  }
  return errors
}

/** Whether two specs differ in more than the fields named. */
export function differsBeyond(spec: JsonObject, old: JsonObject, fields: readonly string[]): boolean {
  const rest = (one: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !fields.includes(name)))
  return !equalJson(rest(spec), rest(old))
}
