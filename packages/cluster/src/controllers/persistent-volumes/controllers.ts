import type { Controller } from 'homeostat'
import { claimBinder } from './claim-binder.ts'
import { ephemeralClaims } from './ephemeral-claims.ts'
import { folderProvisioner, type VolumeFolders } from './folder-provisioner.ts'
import { folderResizer } from './folder-resizer.ts'
import { attributesClassProtection, claimProtection, volumeProtection } from './protection.ts'
import { volumeBinder } from './volume-binder.ts'

/**
 * All that moves claims and volumes: binds them, keeps both while they are used, and, where there are
 * folders for them, has volumes made, lets them grow and deletes those that are no longer needed.
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
