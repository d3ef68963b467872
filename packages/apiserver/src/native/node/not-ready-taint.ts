import type { AdmissionPlugin } from '../../admission/index.ts'
import { ensureObject } from '../../checks/index.ts'
import { listOf, objectOf } from '../../schema/index.ts'

const KEY = 'node.kubernetes.io/not-ready'
const EFFECT = 'NoSchedule'

/** Taints a new Node, so that no Pod is scheduled to it before it is ready. The controller that sees it ready removes the taint. */
export const notReadyTaint: AdmissionPlugin = {
  resources: ['/nodes'],
  admit({ operation, object, subresource }) {
    if (operation !== 'CREATE' || !object || subresource !== undefined) return
    const spec = ensureObject(object, 'spec')
    const taints = listOf(spec['taints'])
    const isTainted = taints.map(objectOf).some(({ key, effect }) => key === KEY && effect === EFFECT)
    if (!isTainted) spec['taints'] = [...taints, { key: KEY, effect: EFFECT }]
  },
}
