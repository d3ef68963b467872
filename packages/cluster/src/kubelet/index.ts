/**
 * Runs Pods on this machine: containers are functions of this process or separate processes, never anything that a
 * mapping does not allow. Statuses, events and logs read as those of a real node.
 */
export type { LogOptions } from './logs/index.ts'
export type { AttachOptions } from './streams/index.ts'
export type { ExecOptions } from './process/index.ts'
export { nodeFolder, openNodeFolder, type NodeFolder } from './folder.ts'
export { Kubelet, type KubeletOptions, type PodKey } from './kubelet.ts'
export { kubeletPages } from './kubelet-pages.ts'
export { nodeObject, nodeStatus } from './node-object.ts'
export type { Exit } from './process/index.ts'
export { ListenerWatch, PodNamespaces } from './separation/index.ts'
export { PersistentFolders } from './volumes/index.ts'
