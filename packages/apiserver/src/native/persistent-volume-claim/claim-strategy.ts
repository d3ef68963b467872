import { type KindStrategy, type ServerObject, specOf } from '../../registry/index.ts'
import { isObject, type JsonObject, objectOf } from '../../schema/index.ts'

/** A claim is Pending until it is bound. `dataSource` and `dataSourceRef` name the same source. */
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
  // A source in another namespace belongs to a feature that is off by default.
  if (objectOf(spec['dataSourceRef'])['namespace']) delete spec['dataSourceRef']
  // Kubernetes has always ignored sources in `dataSource` that are neither a claim nor a snapshot.
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
