/** How processes of Pods find names: hosts files, the cluster's names, and a preload for Node. */
export { clusterNames, isClusterAddress, isOwnHost, type ClusterName } from './cluster-names.ts'
export { HostsFiles, type HostsFile, type HostsFileOptions } from './hosts-files.ts'
export type { HostsEntry } from './hosts-lines.ts'
export { NameServer, type NameAnswer } from './name-server.ts'
export { preloadVariables } from './preload-variables.ts'
