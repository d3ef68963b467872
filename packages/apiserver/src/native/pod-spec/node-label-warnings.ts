import { objectsIn } from '../../checks/index.ts'
import { type JsonObject, objectOf, textOf } from '../../schema/index.ts'

const NODE_LABELS: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    'failure-domain.beta.kubernetes.io/region',
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    'failure-domain.beta.kubernetes.io/zone',
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    'beta.kubernetes.io/instance-type',
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  [
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
    'deprecated since v1.22; use Taints and Tolerations instead',
  ],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
])

/** Kubernetes' warning about a label of nodes that it no longer uses; undefined for other labels. */
export function deprecatedLabel(key: string): string | undefined {
  return NODE_LABELS.get(key)
}

/** The warnings for a term of a selector of nodes. */
export function termWarnings(term: JsonObject, field: string): string[] {
  return objectsIn(term['matchExpressions']).flatMap(({ key }, index) => {
    const why = deprecatedLabel(textOf(key))
    return why === undefined ? [] : [`${field}.matchExpressions[${index}].key: ${textOf(key)} is ${why}`]
  })
}

/** The warnings for required terms of a selector of nodes. */
export function nodeSelectorWarnings(selector: unknown, field: string): string[] {
  return objectsIn(objectOf(selector)['nodeSelectorTerms']).flatMap((term, index) =>
    termWarnings(term, `${field}.nodeSelectorTerms[${index}]`),
  )
}
