import { StorageClass } from '@homeostat/api/kinds'
import { isAlreadyExists, type Client } from 'homeostat'
import { FOLDER_DRIVER } from '../../volume-driver/index.ts'

/** Makes the class of volumes that claims get by default, unless there is one of its name. */
export async function ensureStandardClass(client: Client): Promise<void> {
  const name = 'standard'
  if (await client.get(StorageClass, { name })) return
  try {
    await client.create(StorageClass, {
      metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: FOLDER_DRIVER,
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
      allowVolumeExpansion: true,
    })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
