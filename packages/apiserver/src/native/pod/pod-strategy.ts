import { timestamp, type JsonObject } from '@homeostat/api'
import { fieldsAtPaths } from '../../fields/index.ts'
import { fieldAt, fieldsAt, type KindStrategy, specOf, statusOf, textOf } from '../../registry/index.ts'
import { integerOf, isObject, listOf, objectOf } from '../../schema/index.ts'
import { confineByAnnotation, gatedCondition, mergeLabelKeys } from './pod-preparation.ts'
import { qualityOfService } from './quality-of-service.ts'

/** How long a Pod stays on a node that is not ready, or not to be reached, in seconds. */
const NODE_LOST_SECONDS = 300
const NODE_LOST = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** A Pod is ended by its node's kubelet: a DELETE only asks for it, unless nothing runs. */
export const podStrategy: KindStrategy = {
  generation: true,
  returnsDeleted: true,
  // The fields that field selectors may name.
  fieldLabels: {
    read: {
      ...fieldsAt(
        'spec.nodeName',
        'spec.restartPolicy',
        'spec.schedulerName',
        'spec.serviceAccountName',
        'status.phase',
        'status.nominatedNodeName',
      ),
      // The name that the first clients knew.
      'spec.host': fieldAt('spec.nodeName'),
      'spec.hostNetwork': fieldAt('spec.hostNetwork', 'false'),
      'status.podIP': (pod) => textOf(objectOf(listOf(statusOf(pod)['podIPs'])[0])['ip']),
      // Kubernetes accepts this label and compares it with nothing.
      'status.podIPs': () => '',
    },
  },
  prepareCreate(object, { clock }) {
    const spec = specOf(object)
    object['spec'] = spec
    const gated = listOf(spec['schedulingGates']).length > 0
    object['status'] = {
      phase: 'Pending',
      ...(gated && { conditions: [gatedCondition(timestamp(clock.now()))] }),
      qosClass: statusOf(object)['qosClass'] || qualityOfService(spec),
    }
    spec['tolerations'] = tolerationsOf(spec)
    spec['priority'] ??= 0
    spec['preemptionPolicy'] ??= 'PreemptLowerPriority'
    mergeLabelKeys(object)
    confineByAnnotation(object)
  },
  prepareUpdate(object, old) {
    const spec = specOf(object)
    object['spec'] = spec
    spec['tolerations'] = tolerationsOf(spec)
    // A client that replaces a Pod by its first manifest leaves out what the priority class has set.
    if (spec['priorityClassName'] === specOf(old)['priorityClassName']) {
      for (const field of ['priority', 'preemptionPolicy']) spec[field] ??= specOf(old)[field]
    }
  },
  resetFields: {
    status: fieldsAtPaths('spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'),
  },
  prepareStatus(object, old) {
    const { ownerReferences } = old.metadata
    if (ownerReferences) object.metadata.ownerReferences = [...ownerReferences]
    else delete object.metadata.ownerReferences
    const status = { ...statusOf(object) }
    const before = statusOf(old)
    // A field of a feature that is off.
    delete status['nodeAllocatableResourceClaimStatuses']
    if (!status['qosClass'] && before['qosClass']) status['qosClass'] = before['qosClass']
    if (!status['observedGeneration'] && before['observedGeneration']) {
      status['observedGeneration'] = before['observedGeneration']
    }
    object['status'] = status
  },
  grace(object, requested) {
    const spec = specOf(object)
    const phase = statusOf(object)['phase']
    if (!spec['nodeName'] || phase === 'Failed' || phase === 'Succeeded') return 0n
    const seconds = requested ?? integerOf(spec['terminationGracePeriodSeconds'])
    return seconds < 0n ? 1n : seconds
  },
}

/** Tolerates lost nodes for a while, as Kubernetes' admission plugin DefaultTolerationSeconds does. */
function tolerationsOf(spec: Record<string, unknown>): unknown[] {
  const tolerations = [...listOf(spec['tolerations'])]
  for (const key of NODE_LOST) {
    const tolerated = tolerations.filter(isObject).some((one) => {
      const { key: own, effect } = one
      return (own === key || !own) && (!effect || effect === 'NoExecute')
    })
    if (tolerated) continue
    tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: NODE_LOST_SECONDS })
  }
  return tolerations
}

/** Gives a Pod both forms of its address; where they differ, the single one counts. */
export function alignAddresses(pod: JsonObject): void {
  if (!isObject(pod['status'])) return
  const { podIP, podIPs } = pod['status']
  const first = objectOf(listOf(podIPs)[0])['ip']
  if (podIP && first !== podIP) pod['status'] = { ...pod['status'], podIPs: [{ ip: podIP }] }
  else if (!podIP && first) pod['status'] = { ...pod['status'], podIP: first }
}
