import { compareQuantities, parseQuantity } from '@homeostat/api'
import { PersistentVolume, PersistentVolumeClaim } from '@homeostat/api/kinds'
import { controller } from 'homeostat'
import { FOLDER_DRIVER } from '../../volume-driver/index.ts'

/** Lets volumes grow when their claim asks for more: a folder has room for anything. */
export const folderResizer = controller('folder-resizer')
  .for(PersistentVolumeClaim)
  .watches(PersistentVolume, ({ spec: { claimRef } }) =>
    claimRef?.namespace && claimRef.name ? { namespace: claimRef.namespace, name: claimRef.name } : undefined,
  )
  .reconcile(async (request, { client, events }) => {
    const claim = await client.get(PersistentVolumeClaim, request)
    const storage = claim?.spec.resources?.requests?.['storage']
    if (!claim || storage === undefined || claim.status.phase !== 'Bound') return
    if (!isMore(storage, claim.status.capacity?.['storage'])) return
    const name = claim.spec.volumeName ?? ''
    const volume = await client.get(PersistentVolume, { name })
    if (volume?.spec.csi?.driver !== FOLDER_DRIVER) return
    if (volume.spec.claimRef?.uid !== claim.metadata.uid) return
    events.normal(claim, 'Resizing', `External resizer is resizing volume ${name}`)
    if (isMore(storage, volume.spec.capacity?.['storage'])) {
      const capacity = { ...volume.spec.capacity, storage }
      await client.update(PersistentVolume, { ...volume, spec: { ...volume.spec, capacity } })
    }
    const capacity = { ...claim.status.capacity, storage }
    await client.status.update(PersistentVolumeClaim, { ...claim, status: { ...claim.status, capacity } })
    events.normal(claim, 'VolumeResizeSuccessful', 'Resize volume succeeded')
  })

function isMore(wanted: string | number, there: string | number | undefined): boolean {
  const [left, right] = [parseQuantity(wanted), parseQuantity(there ?? 0)]
  return left !== undefined && right !== undefined && compareQuantities(left, right) > 0
}
