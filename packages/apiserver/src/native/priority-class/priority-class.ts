import { requiredOneOf, unchanged } from '../../checks/index.ts'
import { type FieldError, forbiddenValue, getKey, objectOf, textOf } from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { priorityClassPrinter } from './table.ts'

const HIGHEST = 1_000_000_000

const SYSTEM = 'system-'

/** The classes that every cluster has. */
const KNOWN: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

/** PriorityClasses. */
export const priorityClass: NativeKind = {
  group: 'scheduling.k8s.io',
  kind: 'PriorityClass',
  generation: 'first',
  table: priorityClassPrinter,
  updateSteps: ['metadata change', 'change'],
  default(object) {
    object['preemptionPolicy'] ??= 'PreemptLowerPriority'
  },
  validate(object) {
    const name = textOf(objectOf(object['metadata'])['name'] ?? '')
    const value = Number(object['value'] ?? 0)
    const errors: FieldError[] = []
    if (name.startsWith(SYSTEM)) addAll(errors, systemErrors(name, value, object['globalDefault'] === true))
    else if (value > HIGHEST) {
      const detail = `maximum allowed value of a user defined priority is ${HIGHEST}`
      errors.push(forbiddenValue('value', detail))
    }
    const policies = ['PreemptLowerPriority', 'Never']
    return [...errors, ...requiredOneOf(object['preemptionPolicy'], policies, 'preemptionPolicy')]
  },
  validateUpdate(object, old) {
    const same = Number(object['value'] ?? 0) === Number(old['value'] ?? 0)
    return [
      ...(same ? [] : [forbiddenValue('value', 'may not be changed in an update.')]),
      ...unchanged(object['preemptionPolicy'], old['preemptionPolicy'], 'preemptionPolicy'),
    ]
  },
}

function systemErrors(name: string, value: number, isDefault: boolean): FieldError[] {
  const known = getKey(KNOWN, name)
  const problem =
    known === undefined
      ? `${name} is not a known system priority class`
      : known !== value
        ? `value of ${name} PriorityClass must be ${known}`
        : isDefault
          ? `globalDefault of ${name} PriorityClass must be false`
          : undefined
  if (problem === undefined) return []
  const detail = `priority class names with '${SYSTEM}' prefix are reserved for system use only. error: ${problem}`
  return [forbiddenValue('metadata.name', detail)]
}
