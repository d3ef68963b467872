import { timestamp, type JsonObject } from '@homeostat/api'
import { fieldsAtPaths } from '../../fields/index.ts'
import { fieldAt, fieldsAt, type KindStrategy, specOf, statusOf, textOf } from '../../registry/index.ts'
import { integerOf, isObject, listOf, objectOf } from '../../schema/index.ts'
import { dropFromPodStatus } from '../pod-spec/disabled-fields.ts'
import { confineByAnnotation, gatedCondition, mergeLabelKeys } from './pod-preparation.ts'
import { qualityOfService } from './quality-of-service.ts'

/** Pods. A DELETE of a running Pod only marks it, and the kubelet of its node removes it. */
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
      // The name in the first versions of Kubernetes.
      'spec.host': fieldAt('spec.nodeName'),
      'spec.hostNetwork': fieldAt('spec.hostNetwork', 'false'),
      'status.podIP': (pod) => textOf(objectOf(listOf(statusOf(pod)['podIPs'])[0])['ip']),
      // Kubernetes accepts this label and ignores it.
      'status.podIPs': () => '',
    },
  },
  prepareCreate(object, { clock, warn }) {
    const spec = specOf(object)
    object['spec'] = spec
    const gated = listOf(spec['schedulingGates']).length > 0
    object['status'] = {
      phase: 'Pending',
      ...(gated && { conditions: [gatedCondition(timestamp(clock.now()))] }),
      qosClass: statusOf(object)['qosClass'] || qualityOfService(spec),
    }
    spec['priority'] ??= 0
    spec['preemptionPolicy'] ??= 'PreemptLowerPriority'
    mergeLabelKeys(object)
    confineByAnnotation(object, warn)
  },
  prepareUpdate(object, old) {
    const spec = specOf(object)
    object['spec'] = spec
    // A client that replaces a Pod with its manifest leaves out the fields that the priority class has set.
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
    dropFromPodStatus(status)
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

/** Sets `podIP` and `podIPs` from each other. Where they differ, `podIP` takes precedence. */
export function alignAddresses(pod: JsonObject): void {
  if (!isObject(pod['status'])) return
  const { podIP, podIPs } = pod['status']
  const first = objectOf(listOf(podIPs)[0])['ip']
  if (podIP && first !== podIP) pod['status'] = { ...pod['status'], podIPs: [{ ip: podIP }] }
  else if (!podIP && first) pod['status'] = { ...pod['status'], podIP: first }
}
