import { eachObject, named, unchanged } from '../../checks/index.ts'
import {
  duplicateValue,
  isObject,
  type JsonObject,
  labelProblems,
  objectOf,
  RawJson,
  requiredValue,
  textOf,
  validateLabels,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { validateResources } from '../compute-resources/resource-validation.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { deprecatedLabel } from '../pod-spec/node-label-warnings.ts'
import { validateTolerations } from '../pod-spec/validation/scheduling-validation.ts'
import { runtimeClassPrinter } from './table.ts'

/** RuntimeClasses. */
export const runtimeClass: NativeKind = {
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  createOnUpdate: true,
  unconditionalUpdate: false,
  table: runtimeClassPrinter,
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
          return [duplicateValue(at, shownToleration(toleration))]
        }
        seen.add(key)
        return []
      }),
    ]
  },
  validateUpdate: (object, old) => unchanged(object['handler'], old['handler'], 'handler'),
  warnings: (object) =>
    Object.keys(objectOf(objectOf(object['scheduling'])['nodeSelector'])).flatMap((key) => {
      const why = deprecatedLabel(key)
      return why === undefined ? [] : [`scheduling.nodeSelector: ${why}`]
    }),
}

/** A toleration as Kubernetes shows its own structure. */
function shownToleration({ key, operator, value, effect, tolerationSeconds }: JsonObject): RawJson {
  return RawJson.object(
    ['Key', key ?? ''],
    ['Operator', operator ?? ''],
    ['Value', value ?? ''],
    ['Effect', effect ?? ''],
    ['TolerationSeconds', tolerationSeconds ?? null],
  )
}
