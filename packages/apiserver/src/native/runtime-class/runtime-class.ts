import { duplicateValue, forbiddenValue, requiredValue, type FieldError } from '../../schema/field-error.ts'
import { getKey, isObject, objectOf, textOf } from '../../schema/json.ts'
import { labelProblems } from '../../schema/name-syntax.ts'
import { validateLabels } from '../../schema/object-meta.ts'
import { eachObject, named, requiredOneOf, unchanged } from '../checks/checks.ts'
import type { NativeBehaviour } from '../kind/native-behaviour.ts'
import { validateResources } from '../compute-resources/resource-validation.ts'
import { validateTolerations } from '../pod-template/scheduling-validation.ts'
import { addAll } from '../../work/index.ts'

const HIGHEST = 1_000_000_000
const SYSTEM = 'system-'
/** The classes that every cluster has. */
const KNOWN: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

/** PriorityClasses. */
export const priorityClass: NativeBehaviour = {
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

/** RuntimeClasses. */
export const runtimeClass: NativeBehaviour = {
  plainFinalizers: true,
  updateSteps: ['metadata', 'object', 'metadata change', 'change'],
  validate(object) {
    const { handler, overhead, scheduling } = object
    const errors = handler ? named(handler, 'handler', labelProblems) : [requiredValue('handler')]
    if (isObject(overhead)) addAll(errors, validateResources({ limits: overhead['podFixed'] }, 'overhead'))
    if (!isObject(scheduling)) return errors
    const { nodeSelector, tolerations } = scheduling
    const field = 'scheduling.tolerations'
    const seen = new Set<string>()
    return [
      ...errors,
      ...validateLabels(nodeSelector, 'scheduling.nodeSelector'),
      ...validateTolerations(tolerations, field),
      ...eachObject(tolerations, field, (toleration, at) => {
        const key = ['key', 'operator', 'value', 'effect']
          .map((name) => textOf(toleration[name] ?? ''))
          .join(' ')
        if (seen.has(key)) {
          const { key: Key, operator: Operator, value: Value, effect: Effect } = toleration
          return [duplicateValue(at, { Key, Operator, Value, Effect, TolerationSeconds: null })]
        }
        seen.add(key)
        return []
      }),
    ]
  },
  validateUpdate: (object, old) => unchanged(object['handler'], old['handler'], 'handler'),
}
