import {
  eachObject,
  ensureObject,
  named,
  notNegative,
  notNegativeQuantity,
  oneOf,
  requiredName,
} from '../../checks/index.ts'
import {
  compareQuantities,
  copyJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isNumber,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  parseQuantity,
  requiredValue,
  segmentProblems,
  textOf,
  unsupportedValue,
  wasSentEmpty,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { containerResourceName } from '../compute-resources/resource-names.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { clearStatus } from '../status/clear-status.ts'
import { keepAnnotationsOf, normalizeAutoscaler } from './autoscaler-conversion.ts'
import { horizontalPodAutoscalerPrinter } from './table.ts'

const SCALE_UP: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
}
const SCALE_DOWN: JsonObject = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
}
const DEFAULT_CPU_UTILIZATION = 80
const PROCESSOR: JsonObject = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: DEFAULT_CPU_UTILIZATION } },
}
/** The annotation in which `v1` keeps the metrics that it has no fields for. */
const METRICS = 'autoscaling.alpha.kubernetes.io/metrics'

/** HorizontalPodAutoscalers of both versions. `v1` has a field for the CPU alone. */
export const horizontalPodAutoscaler: NativeKind = {
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  normalize: normalizeAutoscaler,
  prepareCreate(object, context) {
    clearStatus(object, context)
    keepAnnotationsOf('status', object)
    normalizeAutoscaler(object)
  },
  prepareUpdate(object, old) {
    keepAnnotationsOf('status', object, old)
    normalizeAutoscaler(object)
  },
  prepareStatus(object, old) {
    keepAnnotationsOf('spec', object, old)
    normalizeAutoscaler(object)
  },
  table: horizontalPodAutoscalerPrinter,
  default(object) {
    const spec = ensureObject(object, 'spec')
    spec['minReplicas'] ??= 1
    if (object['apiVersion'] === 'autoscaling/v1') {
      // Other metrics are in an annotation. The default for the CPU applies only where there are none.
      const annotations = objectOf(objectOf(object['metadata'])['annotations'])
      if (!annotations[METRICS]) spec['targetCPUUtilizationPercentage'] ??= DEFAULT_CPU_UTILIZATION
      return
    }
    if (listOf(spec['metrics']).length === 0) spec['metrics'] = [copyJson(PROCESSOR)]
    const { behavior } = spec
    if (!isObject(behavior)) return
    behavior['scaleUp'] = rulesWithDefaults(behavior['scaleUp'], SCALE_UP)
    behavior['scaleDown'] = rulesWithDefaults(behavior['scaleDown'], SCALE_DOWN)
  },
  validate(object, old) {
    const spec = objectOf(object['spec'])
    const { minReplicas } = spec
    const maxReplicas = Number(spec['maxReplicas'] ?? 0)
    const errors: FieldError[] = []
    if (isNumber(minReplicas) && minReplicas < 1) {
      errors.push(invalidValue('spec.minReplicas', minReplicas, 'must be greater than or equal to 1'))
    }
    if (maxReplicas === 0) {
      errors.push(requiredValue('spec.maxReplicas', 'must be set and greater than 0'))
    } else if (maxReplicas < 0) {
      errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1'))
    }
    if (isNumber(minReplicas) && maxReplicas < minReplicas) {
      const detail = 'must be greater than or equal to `minReplicas`'
      errors.push(invalidValue('spec.maxReplicas', maxReplicas, detail))
    }
    const metrics = metricsOf(spec)
    addAll(
      errors,
      scaleTargetErrors(
        objectOf(spec['scaleTargetRef']),
        old && objectOf(objectOf(old['spec'])['scaleTargetRef']),
      ),
      eachObject(metrics, 'spec.metrics', metricErrors),
    )
    const outside = metrics.some((metric) => {
      const { type } = objectOf(metric)
      return type === 'Object' || type === 'External'
    })
    if (minReplicas === 0 && !outside) {
      const detail = 'must specify at least one Object or External metric to support scaling to zero replicas'
      errors.push(forbiddenValue('spec.metrics', detail))
    }
    for (const name of ['scaleUp', 'scaleDown']) {
      addAll(errors, rulesErrors(objectOf(spec['behavior'])[name], `spec.behavior.${name}`))
    }
    return errors
  },
  validateStatus(object) {
    const status = objectOf(object['status'])
    return ['currentReplicas', 'desiredReplicas'].flatMap((name) =>
      notNegative(status[name], `status.${name}`),
    )
  },
}

/** Keeps an empty list of policies, so that validation reports it. */
function rulesWithDefaults(sent: unknown, defaults: JsonObject): JsonObject {
  const rules = objectOf(sent)
  return { ...copyJson(defaults), ...rules, ...(wasSentEmpty(rules, 'policies') && { policies: [] }) }
}

/** The CPU target of `v1` as a metric of `v2`. */
function metricsOf(spec: JsonObject): readonly unknown[] {
  const { targetCPUUtilizationPercentage } = spec
  if (!isNumber(targetCPUUtilizationPercentage)) return listOf(spec['metrics'])
  const target = { type: 'Utilization', averageUtilization: targetCPUUtilizationPercentage }
  return [{ type: 'Resource', resource: { name: 'cpu', target } }, ...listOf(spec['metrics'])]
}

/**
 * Validates that a target has an API group, except for ReplicationControllers. An unchanged target is not checked.
 */
function scaleTargetErrors(target: JsonObject, old: JsonObject | undefined): FieldError[] {
  if (old && old['kind'] === target['kind'] && old['apiVersion'] === target['apiVersion'])
    return referenceErrors(target, 'spec.scaleTargetRef', 'unchecked')
  const group = target['kind'] === 'ReplicationController' ? 'optional' : 'required'
  return referenceErrors(target, 'spec.scaleTargetRef', group)
}

function referenceErrors(
  reference: JsonObject,
  field: string,
  group: 'required' | 'optional' | 'unchecked',
): FieldError[] {
  const errors = [
    ...requiredName(reference['kind'], `${field}.kind`, segmentProblems),
    ...requiredName(reference['name'], `${field}.name`, segmentProblems),
  ]
  if (group === 'unchecked') return errors
  const version = textOf(reference['apiVersion'] ?? '')
  const parts = version.split('/')
  if (parts.length > 2) {
    const detail = `unexpected GroupVersion string: ${version}`
    errors.push(invalidValue(`${field}.apiVersion`, version, detail))
  } else if (group === 'required' && (parts.length < 2 || parts[0] === '')) {
    errors.push(invalidValue(`${field}.apiVersion`, version, 'apiVersion must specify API group'))
  }
  return errors
}

function rulesErrors(rules: unknown, field: string): FieldError[] {
  if (!isObject(rules)) return []
  const { stabilizationWindowSeconds: window } = rules
  const errors: FieldError[] = []
  const at = `${field}.stabilizationWindowSeconds`
  if (isNumber(window) && window < 0) {
    errors.push(invalidValue(at, window, 'must be greater than or equal to zero'))
  }
  if (isNumber(window) && window > 3_600) {
    errors.push(invalidValue(at, window, 'must be less than or equal to 3600'))
  }
  addAll(errors, oneOf(rules['selectPolicy'], ['Disabled', 'Max', 'Min'], `${field}.selectPolicy`))
  const policies = listOf(rules['policies'])
  if (policies.length === 0) {
    errors.push(requiredValue(`${field}.policies`, 'must specify at least one Policy'))
  }
  return [
    ...errors,
    ...eachObject(policies, `${field}.policies`, policyErrors),
    ...notNegativeQuantity(rules['tolerance'], `${field}.tolerance`),
  ]
}

function policyErrors(policy: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  const { type } = policy
  if (type !== 'Pods' && type !== 'Percent') {
    errors.push(unsupportedValue(`${field}.type`, type ?? '', ['Percent', 'Pods']))
  }
  for (const name of ['value', 'periodSeconds']) {
    const number = Number(policy[name] ?? 0)
    if (number <= 0) errors.push(invalidValue(`${field}.${name}`, number, 'must be greater than zero'))
  }
  const period = Number(policy['periodSeconds'] ?? 0)
  if (period > 1_800) {
    errors.push(invalidValue(`${field}.periodSeconds`, period, 'must be less than or equal to 1800'))
  }
  return errors
}

const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']
/** The sources of metrics, in the order in which Kubernetes checks them. */
const SOURCES = ['object', 'external', 'pods', 'resource', 'containerResource'] as const
const EITHER = 'must set either a target raw value or a target utilization'
const NOT_BOTH = 'may not set both a target raw value and a target utilization'

function metricErrors(metric: JsonObject, field: string): FieldError[] {
  const type = textOf(metric['type'] ?? '')
  const errors: FieldError[] = []
  if (type === '') errors.push(requiredValue(`${field}.type`, 'must specify a metric source type'))
  if (!TYPES.includes(type)) errors.push(unsupportedValue(`${field}.type`, type, TYPES))
  const present = SOURCES.filter((source) => isObject(metric[source]))
  const [first] = present
  if (first) addAll(errors, sourceErrors(first, objectOf(metric[first]), `${field}.${first}`))
  const expected = TYPES.includes(type) ? `${type.charAt(0).toLowerCase()}${type.slice(1)}` : ''
  if (expected === '') errors.push(unsupportedValue(`${field}.type`, type, TYPES))
  else if (!isObject(metric[expected])) {
    const detail = 'must populate information for the given metric source'
    errors.push(requiredValue(`${field}.${expected}`, detail))
  }
  if (present.length === 1) return errors
  for (const source of present.filter((one) => one !== expected)) {
    errors.push(forbiddenValue(`${field}.${source}`, 'must populate the given metric source only'))
  }
  return errors
}

function sourceErrors(kind: (typeof SOURCES)[number], source: JsonObject, field: string): FieldError[] {
  const target = objectOf(source['target'])
  const at = `${field}.target`
  const has = (name: string): boolean => target[name] !== undefined
  const needs = (name: string, detail: string): FieldError => requiredValue(`${at}.${name}`, detail)
  const errors: FieldError[] = []
  switch (kind) {
    case 'object':
      addAll(
        errors,
        referenceErrors(objectOf(source['describedObject']), `${field}.describedObject`, 'optional'),
        identifierErrors(source['metric'], `${field}.metric`),
        targetErrors(target, at),
      )
      if (!has('value') && !has('averageValue')) {
        errors.push(needs('averageValue', 'must set either a target value or averageValue'))
      }
      return errors
    case 'external':
      addAll(errors, identifierErrors(source['metric'], `${field}.metric`), targetErrors(target, at))
      if (!has('value') && !has('averageValue')) {
        const detail = 'must set either a target value for metric or a per-pod target'
        errors.push(needs('averageValue', detail))
      }
      if (has('value') && has('averageValue')) {
        const detail = 'may not set both a target value for metric and a per-pod target'
        errors.push(forbiddenValue(`${at}.value`, detail))
      }
      return errors
    case 'pods':
      addAll(errors, identifierErrors(source['metric'], `${field}.metric`), targetErrors(target, at))
      if (!has('averageValue')) {
        errors.push(needs('averageValue', 'must specify a positive target averageValue'))
      }
      return errors
    default:
      return [
        ...resourceErrors(kind, source, field),
        ...targetErrors(target, at),
        ...eitherErrors(target, at),
      ]
  }
}

function resourceErrors(
  kind: 'resource' | 'containerResource',
  source: JsonObject,
  field: string,
): FieldError[] {
  const name = textOf(source['name'] ?? '')
  const errors = name === '' ? [requiredValue(`${field}.name`, 'must specify a resource name')] : []
  if (kind === 'resource') return errors
  if (name !== '') addAll(errors, containerResourceName(name, `${field}.name`))
  const container = textOf(source['container'] ?? '')
  return container === ''
    ? [...errors, requiredValue(`${field}.container`, 'must specify a container')]
    : [...errors, ...named(container, `${field}.container`, labelProblems)]
}

function eitherErrors(target: JsonObject, field: string): FieldError[] {
  const [share, value] = [target['averageUtilization'], target['averageValue']]
  if (share === undefined && value === undefined)
    return [requiredValue(`${field}.averageUtilization`, EITHER)]
  if (share === undefined || value === undefined) return []
  return [forbiddenValue(`${field}.averageValue`, NOT_BOTH)]
}

function identifierErrors(value: unknown, field: string): FieldError[] {
  const { name } = objectOf(value)
  return name
    ? named(name, `${field}.name`, segmentProblems)
    : [requiredValue(`${field}.name`, 'must specify a metric name')]
}

function targetErrors(target: JsonObject, field: string): FieldError[] {
  const type = textOf(target['type'] ?? '')
  const errors: FieldError[] = []
  if (type === '') errors.push(requiredValue(`${field}.type`, 'must specify a metric target type'))
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(invalidValue(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue'))
  }
  for (const name of ['value', 'averageValue']) {
    const quantity = parseQuantity(target[name])
    if (!quantity || compareQuantities(quantity, { mantissa: 0n, exponent: 0, form: 'decimal' }) > 0) continue
    errors.push(invalidValue(`${field}.${name}`, target[name], 'must be positive'))
  }
  const { averageUtilization } = target
  if (isNumber(averageUtilization) && averageUtilization < 1) {
    errors.push(invalidValue(`${field}.averageUtilization`, averageUtilization, 'must be greater than 0'))
  }
  return errors
}
