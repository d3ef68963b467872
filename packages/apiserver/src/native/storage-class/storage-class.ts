import { labelKeyProblems } from '@homeostat/api'
import { eachObject, named, objectsIn, oneOf, unchanged } from '../../checks/index.ts'
import {
  duplicateValue,
  equalJson,
  type FieldError,
  listOf,
  requiredValue,
  setKey,
  textOf,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { deprecatedLabel } from '../pod-spec/node-label-warnings.ts'
import { parameterErrors, provisionerErrors } from './parameter-validation.ts'
import { storageClassPrinter } from './table.ts'

/** StorageClasses. */
export const storageClass: NativeKind = {
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  returnsDeleted: true,
  table: storageClassPrinter,
  updateSteps: ['metadata', 'object', 'metadata change', 'change'],
  default(object) {
    object['reclaimPolicy'] ??= 'Delete'
    object['volumeBindingMode'] ??= 'Immediate'
  },
  validate(object) {
    return [
      ...provisionerErrors(object['provisioner'], 'provisioner'),
      ...parameterErrors(object['parameters'], 'parameters'),
      // Kubernetes accepts an empty policy.
      ...oneOf(object['reclaimPolicy'] || undefined, ['Delete', 'Retain'], 'reclaimPolicy'),
      ...oneOf(object['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer'], 'volumeBindingMode'),
      ...topologyErrors(object['allowedTopologies'], 'allowedTopologies'),
    ]
  },
  validateUpdate: (object, old) =>
    ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((name) =>
      unchanged(object[name], old[name], name),
    ),
  warnings: (object) =>
    objectsIn(object['allowedTopologies']).flatMap((term, outer) =>
      objectsIn(term['matchLabelExpressions']).flatMap(({ key }, index) => {
        const why = deprecatedLabel(textOf(key))
        const field = `allowedTopologies[${outer}].matchLabelExpressions[${index}].key`
        return why === undefined ? [] : [`${field}: ${why}`]
      }),
    ),
}

function topologyErrors(value: unknown, field: string): FieldError[] {
  // As in Kubernetes, the list of terms seen begins with as many empty terms as there are terms.
  const seen: unknown[] = listOf(value).map(() => ({}))
  return eachObject(value, field, (term, at) => {
    const terms: Record<string, readonly unknown[]> = {}
    const list = `${at}.matchLabelExpressions`
    const errors = eachObject(term['matchLabelExpressions'], list, (requirement, where) => {
      const key = textOf(requirement['key'] ?? '')
      const values = listOf(requirement['values'])
      const wrong = values.length === 0 ? [requiredValue(`${where}.values`)] : []
      for (const [index, one] of values.entries()) {
        if (values.indexOf(one) < index) wrong.push(duplicateValue(`${where}.values[${index}]`, one))
      }
      addAll(wrong, named(key, `${where}.key`, labelKeyProblems))
      if (Object.hasOwn(terms, key)) wrong.push(duplicateValue(`${where}.key`, key))
      setKey(
        terms,
        key,
        [...new Set(values.map(textOf))].sort((a, b) => (a < b ? -1 : 1)),
      )
      return wrong
    })
    for (const other of seen) if (equalJson(other, terms)) errors.push(duplicateValue(list, ''))
    seen.push(terms)
    return errors
  })
}
