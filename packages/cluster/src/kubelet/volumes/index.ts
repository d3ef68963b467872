/** The volumes of Pods as folders of this machine. No path in a volume leads out of it. */
export { PersistentFolders } from './persistent-folders.ts'
export { PodVolumes } from './pod-volumes.ts'
export { pathBelow } from './safe-path.ts'
export { claimedFolder } from './claimed-folder.ts'
export { ContainerRoot } from './container-root.ts'
export { removeFolder } from './remove-folder.ts'
