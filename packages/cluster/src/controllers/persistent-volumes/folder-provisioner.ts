import type { CreateOf } from '@homeostat/api'
import { PersistentVolume, PersistentVolumeClaim, StorageClass } from '@homeostat/api/kinds'
import { controller, isAlreadyExists, type Client, type Controller } from 'homeostat'
import { FOLDER_DRIVER } from '../../volume-driver/index.ts'
import { failureText } from '../objects/failure-text.ts'
import { claimReference } from './binding.ts'
import { classOf, PROVISIONED_BY, PROVISIONERS } from './volume-annotations.ts'

/** The folders of this machine with the data of volumes, one for each. Both calls can be repeated. */
export interface VolumeFolders {
  create(handle: string): Promise<void>
  /** Removes the folder with all that is in it. */
  remove(handle: string): Promise<void>
}

/**
 * Creates a volume with its own folder for each claim that asks for one, and deletes both when the claim is deleted
 * and the volume's policy says so.
 */
export function folderProvisioner(folders: VolumeFolders): readonly Controller[] {
  const maker = controller('folder-provisioner')
    .for(PersistentVolumeClaim)
    .reads(StorageClass)
    .reconcile(async (request, { client, events }) => {
      const claim = await client.get(PersistentVolumeClaim, request)
      if (!claim || !isAsked(claim)) return
      const storageClass = await client.get(StorageClass, { name: classOf(claim) })
      if (storageClass?.provisioner !== FOLDER_DRIVER) return
      const name = `pvc-${claim.metadata.uid}`
      if (await client.get(PersistentVolume, { name })) return
      const { namespace, name: claimName } = claim.metadata
      const about = `External provisioner is provisioning volume for claim "${namespace}/${claimName}"`
      events.normal(claim, 'Provisioning', about)
      try {
        if (claim.spec.volumeMode === 'Block')
          throw new TypeError('block volume provisioning is not supported')
        if (claim.spec.dataSource ?? claim.spec.dataSourceRef)
          throw new TypeError('volumes with a dataSource are not supported')
        await folders.create(name)
        await createVolume(newVolume(name, claim, storageClass), client)
      } catch (error) {
        const message = `failed to provision volume with StorageClass "${storageClass.metadata.name}": ${failureText(error)}`
        events.warning(claim, 'ProvisioningFailed', message)
        throw error
      }
      events.normal(claim, 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`)
    })

  const remover = controller('folder-reclaimer')
    .for(PersistentVolume)
    .reconcile(async (request, { client, events }) => {
      const volume = await client.get(PersistentVolume, request)
      if (!volume || !isToBeDeleted(volume)) return
      try {
        await folders.remove(volume.spec.csi?.volumeHandle ?? '')
      } catch (error) {
        events.warning(volume, 'VolumeFailedDelete', failureText(error))
        throw error
      }
      const { name, uid } = volume.metadata
      await client.delete(PersistentVolume, { name }, { preconditions: { uid } })
    })
  return [maker, remover]
}

/** The volume for a claim, as it is created. */
function newVolume(
  name: string,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
): CreateOf<typeof PersistentVolume> {
  const { mountOptions } = storageClass
  return {
    metadata: { name, annotations: { [PROVISIONED_BY]: FOLDER_DRIVER } },
    spec: {
      capacity: { storage: claim.spec.resources?.requests?.['storage'] ?? '0' },
      accessModes: [...(claim.spec.accessModes ?? [])],
      claimRef: claimReference(claim),
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: storageClass.metadata.name,
      volumeMode: 'Filesystem',
      ...(mountOptions ? { mountOptions: [...mountOptions] } : {}),
      csi: { driver: FOLDER_DRIVER, volumeHandle: name },
    },
  }
}

async function createVolume(volume: CreateOf<typeof PersistentVolume>, client: Client): Promise<void> {
  try {
    await client.create(PersistentVolume, volume)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

function isAsked({ metadata, spec }: PersistentVolumeClaim): boolean {
  const asked = PROVISIONERS.some((annotation) => metadata.annotations?.[annotation] === FOLDER_DRIVER)
  return asked && !spec.volumeName && !metadata.deletionTimestamp
}

function isToBeDeleted({ metadata, spec, status }: PersistentVolume): boolean {
  return (
    metadata.annotations?.[PROVISIONED_BY] === FOLDER_DRIVER &&
    spec.csi?.driver === FOLDER_DRIVER &&
    spec.persistentVolumeReclaimPolicy === 'Delete' &&
    status.phase === 'Released' &&
    !metadata.deletionTimestamp
  )
}
