/** The files of Pods: volumes that show ConfigMaps and Secrets and follow them, and folders of their own. */
export { PodVolumes } from './pod-volumes.ts'
export type { ConfigReader } from './volume-files.ts'
