import { domainPrefixedPath, named, unchanged } from '../../checks/index.ts'
import {
  byteLength,
  type FieldError,
  forbiddenValue,
  isObject,
  type JsonObject,
  labelProblems,
  objectOf,
  requiredValue,
  textOf,
  tooLong,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { referenceErrors } from './reference-validation.ts'
import { ingressClassPrinter } from './table.ts'

/** IngressClasses. */
export const ingressClass: NativeKind = {
  group: 'networking.k8s.io',
  kind: 'IngressClass',
  generation: true,
  table: ingressClassPrinter,
  updateSteps: ['metadata change', 'change', 'metadata', 'object'],
  default(object) {
    const { parameters } = objectOf(object['spec'])
    if (isObject(parameters)) parameters['scope'] ??= 'Cluster'
  },
  validate(object) {
    const { controller, parameters } = objectOf(object['spec'])
    const field = 'spec.controller'
    const errors = byteLength(textOf(controller ?? '')) > 250 ? [tooLong(field, 250)] : []
    addAll(errors, domainPrefixedPath(controller, field))
    if (!isObject(parameters)) return errors
    return [
      ...errors,
      ...referenceErrors(parameters, 'spec.parameters'),
      ...scopeErrors(parameters, 'spec.parameters'),
    ]
  },
  validateUpdate(object, old) {
    const [now, before] = [objectOf(object['spec'])['controller'], objectOf(old['spec'])['controller']]
    return unchanged(now, before, 'spec.controller')
  },
}

function scopeErrors(parameters: JsonObject, field: string): FieldError[] {
  const { scope, namespace } = parameters
  if (scope === 'Namespace') {
    if (namespace === undefined) {
      return [requiredValue(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'")]
    }
    return named(namespace, `${field}.namespace`, labelProblems)
  }
  if (scope !== 'Cluster') return [unsupportedValue(`${field}.scope`, scope ?? '', ['Cluster', 'Namespace'])]
  if (namespace === undefined) return []
  return [forbiddenValue(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'")]
}
