import { PersistentVolume, PersistentVolumeClaim } from '@homeostat/api/kinds'
import type { Reader } from 'homeostat'
import { PodProblem } from '../sources/index.ts'
import { FOLDER_DRIVER } from '../../volume-driver/index.ts'
import { openHostPath } from './host-path.ts'
import type { PersistentFolders } from './persistent-folders.ts'

/**
 * The folder that a claim of the namespace is bound to. A path of this machine is opened only if the cluster allows such
 * paths. Throws a {@link PodProblem} if the claim is not bound, or is bound to a volume that is not a folder.
 */
export async function claimedFolder(
  reader: Reader,
  key: { readonly namespace: string; readonly name: string },
  options: { readonly folders?: PersistentFolders | undefined; readonly hostPaths: boolean },
): Promise<string> {
  const claim = await reader.get(PersistentVolumeClaim, key)
  const shown = `persistentvolumeclaim ${JSON.stringify(key.name)}`
  if (!claim) throw new PodProblem(`${shown} not found`)
  if (claim.metadata.deletionTimestamp) throw new PodProblem(`${shown} is being deleted`)
  const { volumeName } = claim.spec
  if (claim.status?.phase !== 'Bound' || !volumeName) throw new PodProblem(`${shown} is not bound`)
  const volume = await reader.get(PersistentVolume, { name: volumeName })
  if (!volume) throw new PodProblem(`persistentvolume ${JSON.stringify(volumeName)} not found`)
  if (volume.spec.claimRef?.uid !== claim.metadata.uid) {
    throw new PodProblem(`persistentvolume ${JSON.stringify(volumeName)} is bound to another claim`)
  }
  const { csi, hostPath, local } = volume.spec
  if (csi?.driver === FOLDER_DRIVER && options.folders) {
    await options.folders.create(csi.volumeHandle)
    return options.folders.folder(csi.volumeHandle)
  }
  if (options.hostPaths && hostPath) return openHostPath(hostPath)
  if (options.hostPaths && local) return openHostPath({ path: local.path, type: 'Directory' })
  const what = csi
    ? `by the driver ${csi.driver}`
    : hostPath || local
      ? 'a path of this machine, which Pods may use only with hostPaths: true'
      : 'of another kind'
  throw new PodProblem(
    `persistentvolume ${JSON.stringify(volumeName)} is ${what}: this node supports volumes of ${FOLDER_DRIVER}`,
  )
}
