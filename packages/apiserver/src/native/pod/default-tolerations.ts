import type { AdmissionPlugin } from '../../admission/index.ts'
import { specOf, type ServerObject } from '../../registry/index.ts'
import { isObject, listOf } from '../../schema/index.ts'

/** The seconds that a Pod stays on a node that is not ready or not reachable. */
const NODE_LOST_SECONDS = 300
const NODE_LOST = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** Gives Pods tolerations of nodes that are lost for a short time. */
export const defaultTolerations: AdmissionPlugin = {
  resources: ['/pods'],
  operations: ['CREATE', 'UPDATE'],
  isActive: ({ object, subresource }) =>
    object !== undefined && subresource === undefined && missingTolerations(object).length > 0,
  admit({ object }) {
    if (!object) return
    const spec = specOf(object)
    const added = missingTolerations(object).map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: NODE_LOST_SECONDS,
    }))
    object['spec'] = Object.assign(spec, { tolerations: [...listOf(spec['tolerations']), ...added] })
  },
}

/** The keys of the taints of lost nodes that a Pod does not tolerate. */
function missingTolerations(pod: ServerObject): readonly string[] {
  const tolerations = listOf(specOf(pod)['tolerations']).filter(isObject)
  return NODE_LOST.filter(
    (lost) =>
      !tolerations.some(({ key, effect }) => (key === lost || !key) && (!effect || effect === 'NoExecute')),
  )
}
