import type { Controller } from 'homeostat'
import { claimBinder } from './claim-binder.ts'
import { ephemeralClaims } from './ephemeral-claims.ts'
import { folderProvisioner, type VolumeFolders } from './folder-provisioner.ts'
import { folderResizer } from './folder-resizer.ts'
import { attributesClassProtection, claimProtection, volumeProtection } from './protection.ts'
import { volumeBinder } from './volume-binder.ts'

/**
 * The controllers of claims and volumes: they bind them, and protect both while they are used. Where the cluster has
 * folders for volumes, they also create, resize and delete volumes.
 */
export function persistentVolumeControllers(folders: VolumeFolders | undefined): readonly Controller[] {
  return [
    claimBinder,
    volumeBinder,
    claimProtection,
    volumeProtection,
    attributesClassProtection,
    ephemeralClaims,
    ...(folders ? [...folderProvisioner(folders), folderResizer] : []),
  ]
}
