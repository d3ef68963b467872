import { ensureObject, objectsIn, setDefault } from '../../checks/index.ts'
import { isObject, type JsonObject } from '../../schema/index.ts'
import { roundClaim } from '../compute-resources/resource-defaults.ts'
import { defaultPodTemplate } from '../pod-spec/pod-defaults.ts'

/** Sets the defaults of a StatefulSet. */
export function defaultStatefulSet(statefulSet: JsonObject): void {
  const spec = ensureObject(statefulSet, 'spec')
  setDefault(spec, 'podManagementPolicy', 'OrderedReady')
  const strategy = ensureObject(spec, 'updateStrategy')
  if (!strategy['type']) {
    strategy['type'] = 'RollingUpdate'
    ensureObject(strategy, 'rollingUpdate')
  }
  const { rollingUpdate } = strategy
  if (strategy['type'] === 'RollingUpdate' && isObject(rollingUpdate)) {
    rollingUpdate['partition'] ??= 0
  }
  const retention = ensureObject(spec, 'persistentVolumeClaimRetentionPolicy')
  setDefault(retention, 'whenDeleted', 'Retain')
  setDefault(retention, 'whenScaled', 'Retain')
  spec['replicas'] ??= 1
  spec['revisionHistoryLimit'] ??= 10
  for (const claim of objectsIn(spec['volumeClaimTemplates'])) {
    claim['kind'] = 'PersistentVolumeClaim'
    claim['apiVersion'] = 'v1'
    ensureObject(claim, 'spec')['volumeMode'] ??= 'Filesystem'
    setDefault(ensureObject(claim, 'status'), 'phase', 'Pending')
    roundClaim(claim)
  }
  defaultPodTemplate(spec)
}
