/** The volumes of Pods as folders of this machine, none of which leads anywhere else. */
export { openHostPath } from './host-path.ts'
export { PersistentFolders } from './persistent-folders.ts'
export { PodVolumes } from './pod-volumes.ts'
export { leadsOut, pathBelow } from './safe-path.ts'
