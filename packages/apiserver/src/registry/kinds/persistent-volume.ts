import { timestamp } from '@homeostat/api'
import { isObject, objectOf, type JsonObject } from '../../schema/json.ts'
import type { KindRules } from '../kind-rules.ts'
import { specOf, statusOf, type ServerObject } from '../server-object.ts'

/** A volume remembers when its phase last changed. */
export const persistentVolumeRules: KindRules = {
  returnsDeleted: true,
  prepareCreate(object, { clock }) {
    object['status'] = { phase: 'Pending', lastPhaseTransitionTime: timestamp(clock.now()) }
  },
  prepareStatus(object, old, { clock }) {
    const status = { ...statusOf(object) }
    const before = statusOf(old)
    object['status'] = status
    const [now, was] = [status['lastPhaseTransitionTime'], before['lastPhaseTransitionTime']]
    if (status['phase'] === before['phase']) {
      if (now === undefined && was !== undefined) status['lastPhaseTransitionTime'] = was
    } else if (now === undefined || now === was) {
      status['lastPhaseTransitionTime'] = timestamp(clock.now())
    }
  },
}

/** A claim is Pending until it is bound; what it is filled from stands in two fields that say the same. */
export const persistentVolumeClaimRules: KindRules = {
  returnsDeleted: true,
  prepareCreate(object) {
    object['status'] = { phase: 'Pending' }
    alignSources(object)
  },
  prepareUpdate: alignSources,
}

const SNAPSHOTS = 'snapshot.storage.k8s.io'

function alignSources(object: ServerObject): void {
  const spec = { ...specOf(object) }
  object['spec'] = spec
  // A source in another namespace is a feature that is off.
  if (objectOf(spec['dataSourceRef'])['namespace']) delete spec['dataSourceRef']
  // Whatever the old field names besides a claim or a snapshot was never looked at.
  if (
    spec['dataSourceRef'] === undefined &&
    isObject(spec['dataSource']) &&
    !isOldSource(spec['dataSource'])
  ) {
    delete spec['dataSource']
  }
  const { dataSource, dataSourceRef } = spec
  if (isObject(dataSource) && dataSourceRef === undefined) spec['dataSourceRef'] = { ...dataSource }
  else if (isObject(dataSourceRef) && dataSource === undefined && !dataSourceRef['namespace']) {
    spec['dataSource'] = { ...dataSourceRef }
  }
}

function isOldSource({ kind, apiGroup }: JsonObject): boolean {
  return (
    (kind === 'PersistentVolumeClaim' && !apiGroup) || (kind === 'VolumeSnapshot' && apiGroup === SNAPSHOTS)
  )
}
