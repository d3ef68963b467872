import { objectsIn } from '../../checks/index.ts'
import {
  equalJson,
  type FieldError,
  invalidValue,
  type JsonObject,
  listOf,
  objectOf,
  RawJson,
  requiredValue,
  textOf,
} from '../../schema/index.ts'
import { roundList } from '../compute-resources/resource-defaults.ts'
import { isQuotaResource, resourceName } from '../compute-resources/resource-names.ts'
import { validateAmount } from '../compute-resources/resource-validation.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { clearStatus } from '../status/clear-status.ts'
import { resourceQuotaPrinter } from './table.ts'

const SCOPES = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'VolumeAttributesClass',
  'CrossNamespacePodAffinity',
]

const COMPUTE = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']

const PAIRS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const

/** ResourceQuotas. */
export const resourceQuota: NativeKind = {
  group: '',
  kind: 'ResourceQuota',
  returnsDeleted: true,
  prepareCreate: clearStatus,
  table: resourceQuotaPrinter,
  default(object) {
    roundList(objectOf(object['spec'])['hard'])
    roundList(objectOf(object['status'])['hard'])
    roundList(objectOf(object['status'])['used'])
  },
  validate: (object) => quotaErrors(objectOf(object['spec'])),
  validateUpdate(object, old) {
    const scopes = (one: JsonObject): string[] => listOf(objectOf(one['spec'])['scopes']).map(textOf).sort()
    if (equalJson([...new Set(scopes(object))], [...new Set(scopes(old))])) return []
    return [invalidValue('spec.scopes', objectOf(object['spec'])['scopes'] ?? null, 'field is immutable')]
  },
  validateStatus(object) {
    const status = objectOf(object['status'])
    return ['hard', 'used'].flatMap((name) => amountErrors(status[name], `status.${name}`))
  },
}

function amountErrors(list: unknown, field: string): FieldError[] {
  return Object.entries(objectOf(list)).flatMap(([name, amount]) => {
    const at = `${field}[${name}]`
    const errors = resourceName(name, at)
    if (!name.includes('/') && !isQuotaResource(name)) {
      errors.push(invalidValue(at, name, 'must be a standard resource for quota'))
    }
    return [...errors, ...validateAmount(name, amount, at)]
  })
}

function quotaErrors(spec: JsonObject): FieldError[] {
  const errors = amountErrors(spec['hard'], 'spec.hard')
  const hard = Object.keys(objectOf(spec['hard'])).filter(isQuotaResource)
  const scopes = listOf(spec['scopes'])
  for (const scope of scopes.map(textOf)) {
    if (!SCOPES.includes(scope)) errors.push(invalidValue('spec.scopes', scopes, 'unsupported scope'))
    for (const name of hard) {
      if (fits(scope, name)) continue
      errors.push(invalidValue('spec.scopes', scopes, 'unsupported scope applied to resource'))
    }
  }
  for (const pair of PAIRS) {
    if (pair.every((scope) => scopes.includes(scope))) {
      errors.push(invalidValue('spec.scopes', scopes, 'conflicting scopes'))
    }
  }
  return [...errors, ...selectorErrors(spec, hard)]
}

function fits(scope: string, resource: string): boolean {
  switch (scope) {
    case 'BestEffort':
      return resource === 'pods'
    case 'VolumeAttributesClass':
      return resource === 'persistentvolumeclaims' || resource === 'requests.storage'
    default:
      return !SCOPES.includes(scope) || resource === 'pods' || COMPUTE.includes(resource)
  }
}

function selectorErrors(spec: JsonObject, hard: readonly string[]): FieldError[] {
  const field = 'spec.scopeSelector.matchExpressions'
  const expressions = objectsIn(objectOf(spec['scopeSelector'])['matchExpressions'])
  // Kubernetes shows its Go structs, whose fields have other names.
  const shown = {
    MatchExpressions: expressions.map(({ scopeName, operator, values }) =>
      RawJson.object(
        ['ScopeName', scopeName ?? ''],
        ['Operator', operator ?? ''],
        ['Values', values ?? null],
      ),
    ),
  }
  const errors: FieldError[] = []
  for (const { scopeName, operator, values } of expressions) {
    const scope = textOf(scopeName ?? '')
    const list = listOf(values)
    if (!SCOPES.includes(scope)) errors.push(invalidValue(`${field}.scopeName`, scope, 'unsupported scope'))
    for (const name of hard) {
      if (fits(scope, name)) continue
      errors.push(invalidValue(field, shown, 'unsupported scope applied to resource'))
    }
    const plain = SCOPES.includes(scope) && scope !== 'PriorityClass' && scope !== 'VolumeAttributesClass'
    if (plain && operator !== 'Exists') {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
      errors.push(invalidValue(`${field}.operator`, operator ?? '', detail))
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (list.length > 0) continue
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
      errors.push(requiredValue(`${field}.values`, detail))
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (list.length === 0) continue
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
      errors.push(invalidValue(`${field}.values`, list, detail))
    } else {
      errors.push(invalidValue(`${field}.operator`, operator ?? '', 'not a valid selector operator'))
    }
  }
  const names = expressions.map(({ scopeName }) => scopeName)
  for (const pair of PAIRS) {
    if (!pair.every((scope) => names.includes(scope))) continue
    errors.push(invalidValue(field, spec['scopes'] ?? null, 'conflicting scopes'))
  }
  return errors
}
