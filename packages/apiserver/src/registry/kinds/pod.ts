import { isObject, listOf, objectOf } from '../../schema/json.ts'
import type { KindRules } from '../kind-rules.ts'
import { specOf, statusOf, type ServerObject } from '../server-object.ts'

/** How long a Pod stays on a node that is not ready, or not to be reached, in seconds. */
const NODE_LOST_SECONDS = 300
const NODE_LOST = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** A Pod is ended by its node's kubelet: a DELETE only asks for it, unless nothing runs. */
export const podRules: KindRules = {
  generation: true,
  returnsDeleted: true,
  fieldNames: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  field: (object, field) =>
    field === 'spec.hostNetwork' ? String(specOf(object)['hostNetwork'] === true) : undefined,
  prepareCreate(object) {
    object['status'] = { phase: 'Pending', qosClass: qualityOfService(object) }
    const spec = { ...specOf(object) }
    object['spec'] = spec
    spec['tolerations'] = tolerationsOf(spec)
    spec['priority'] ??= 0
    spec['preemptionPolicy'] ??= 'PreemptLowerPriority'
  },
  prepareStatus(object, old) {
    const { ownerReferences } = old.metadata
    if (ownerReferences) object.metadata.ownerReferences = [...ownerReferences]
    else delete object.metadata.ownerReferences
    const status = { ...statusOf(object) }
    const { qosClass } = statusOf(old)
    if (qosClass) status['qosClass'] = qosClass
    if (status['podIP'] && !status['podIPs']) status['podIPs'] = [{ ip: status['podIP'] }]
    object['status'] = status
  },
  grace(object, requested) {
    const spec = specOf(object)
    const phase = statusOf(object)['phase']
    if (!spec['nodeName'] || phase === 'Failed' || phase === 'Succeeded') return 0
    const usual = spec['terminationGracePeriodSeconds']
    const seconds = requested ?? (typeof usual === 'number' ? usual : 0)
    return seconds < 0 ? 1 : seconds
  },
}

function tolerationsOf(spec: Record<string, unknown>): unknown[] {
  const tolerations = [...listOf(spec['tolerations'])]
  for (const key of NODE_LOST) {
    const tolerated = tolerations.filter(isObject).some((one) => {
      const anyKey = one['key'] === undefined && one['operator'] === 'Exists'
      const anyEffect = one['effect'] === undefined || one['effect'] === 'NoExecute'
      return (one['key'] === key || anyKey) && anyEffect
    })
    if (tolerated) continue
    tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: NODE_LOST_SECONDS })
  }
  return tolerations
}

/** Guaranteed when every container has its limits as requests, BestEffort when none asks for anything. */
function qualityOfService(object: ServerObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const spec = specOf(object)
  const containers = [...listOf(spec['initContainers']), ...listOf(spec['containers'])].map((container) => {
    const resources = objectOf(objectOf(container)['resources'])
    return { requests: objectOf(resources['requests']), limits: objectOf(resources['limits']) }
  })
  const counted = ['cpu', 'memory']
  const asks = containers.some(({ requests, limits }) =>
    counted.some((name) => name in requests || name in limits),
  )
  if (!asks) return 'BestEffort'
  const full = containers.every(({ requests, limits }) =>
    counted.every(
      (name) => name in limits && (!(name in requests) || String(requests[name]) === String(limits[name])),
    ),
  )
  return full ? 'Guaranteed' : 'Burstable'
}
