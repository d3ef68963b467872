import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
  type FieldError,
} from '../field-error.ts'
import { RawJson } from '../go-text.ts'
import { equalJson, isObject, objectOf, type JsonObject } from '../json.ts'
import { countOrPercent, notNegative, oneOf } from './checks.ts'
import { isEmptySelector, selectorText, selects, validateLabelSelector } from './label-selector.ts'
import { validatePodTemplate } from './pod-validation.ts'

const MISMATCH = '`selector` does not match template `labels`'

/** What is wrong with a Deployment. */
export function validateDeployment(deployment: JsonObject): FieldError[] {
  const spec = objectOf(deployment['spec'])
  const errors = [
    ...notNegative(spec['replicas'], 'spec.replicas'),
    ...selectorErrors(spec),
    ...templateErrors(spec),
    ...strategyErrors(objectOf(spec['strategy']), 'spec.strategy'),
    ...notNegative(spec['minReadySeconds'], 'spec.minReadySeconds'),
    ...notNegative(spec['revisionHistoryLimit'], 'spec.revisionHistoryLimit'),
    ...notNegative(spec['progressDeadlineSeconds'], 'spec.progressDeadlineSeconds'),
  ]
  const { progressDeadlineSeconds, minReadySeconds = 0 } = spec
  if (typeof progressDeadlineSeconds === 'number' && progressDeadlineSeconds <= Number(minReadySeconds)) {
    errors.push(
      invalidValue(
        'spec.progressDeadlineSeconds',
        progressDeadlineSeconds,
        'must be greater than minReadySeconds',
      ),
    )
  }
  return errors
}

/** What is wrong with a ReplicaSet. */
export function validateReplicaSet(replicaSet: JsonObject): FieldError[] {
  const spec = objectOf(replicaSet['spec'])
  return [
    ...notNegative(spec['replicas'], 'spec.replicas'),
    ...notNegative(spec['minReadySeconds'], 'spec.minReadySeconds'),
    ...selectorErrors(spec),
    ...(isEmptySelector(spec['selector']) && isObject(spec['selector']) ? [] : templateErrors(spec)),
  ]
}

/** A selector is for life: what it chose before would be left without an owner. */
export function validateSelectorUpdate(workload: JsonObject, old: JsonObject): FieldError[] {
  const { selector } = objectOf(workload['spec'])
  if (equalJson(selector, objectOf(old['spec'])['selector'])) return []
  return [invalidValue('spec.selector', selectorText(selector), 'field is immutable')]
}

function selectorErrors(spec: JsonObject): FieldError[] {
  const { selector } = spec
  if (!isObject(selector)) return [requiredValue('spec.selector')]
  const errors = validateLabelSelector(selector, 'spec.selector')
  if (isEmptySelector(selector)) {
    errors.push(invalidValue('spec.selector', {}, 'empty selector is invalid for deployment'))
  }
  return errors
}

function templateErrors(spec: JsonObject): FieldError[] {
  const template = objectOf(spec['template'])
  const podSpec = objectOf(template['spec'])
  const { selector } = spec
  const errors: FieldError[] = []
  if (validateLabelSelector(selector, '').length > 0) {
    errors.push(invalidValue('spec.selector', selectorText(selector), 'invalid label selector'))
  } else {
    const { labels } = objectOf(template['metadata'])
    if (!selects(selector, labels)) {
      errors.push(invalidValue('spec.template.metadata.labels', labels ?? null, MISMATCH))
    }
  }
  errors.push(...validatePodTemplate(template, 'spec.template'))
  const { restartPolicy } = podSpec
  if (restartPolicy !== undefined && restartPolicy !== 'Always' && !isUnknownPolicy(restartPolicy)) {
    errors.push(unsupportedValue('spec.template.spec.restartPolicy', restartPolicy, ['Always']))
  }
  if (podSpec['activeDeadlineSeconds'] !== undefined) {
    const detail = 'activeDeadlineSeconds in ReplicaSet is not Supported'
    errors.push(forbiddenValue('spec.template.spec.activeDeadlineSeconds', detail))
  }
  return errors
}

function isUnknownPolicy(policy: unknown): boolean {
  return oneOf(policy, ['Always', 'OnFailure', 'Never'], '').length > 0
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
  if (amount(maxUnavailable) === 0 && amount(maxSurge) === 0) {
    errors.push(invalidValue(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'))
  }
  if (typeof maxUnavailable === 'string' && /^\d+%$/.test(maxUnavailable) && amount(maxUnavailable) > 100) {
    errors.push(invalidValue(`${at}.maxUnavailable`, maxUnavailable, 'must not be greater than 100%'))
  }
  return errors
}

function amount(value: unknown): number {
  return typeof value === 'number' ? value : Number.parseInt(String(value), 10)
}
