import { type KindStrategy, type ServerObject, specOf } from '../../registry/index.ts'
import { isObject, type JsonObject, objectOf } from '../../schema/index.ts'

/** A claim is Pending until it is bound; what it is filled from stands in two fields that say the same. */
export const claimStrategy: KindStrategy = {
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
    const { namespace: _, ...source } = dataSourceRef
    spec['dataSource'] = source
  }
}

function isOldSource({ kind, apiGroup }: JsonObject): boolean {
  return (
    (kind === 'PersistentVolumeClaim' && !apiGroup) || (kind === 'VolumeSnapshot' && apiGroup === SNAPSHOTS)
  )
}
