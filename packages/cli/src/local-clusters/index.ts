/** Named local clusters: each is a process with a folder that keeps its objects while it is stopped. */
export { followLog } from './follow-log.ts'
export { ClusterHome, type ClusterState } from './cluster-home.ts'
export { mergeKubeconfig, unmergeKubeconfig, userKubeconfig } from './user-kubeconfig.ts'
export { runCluster, startInBackground, stopCluster, type StartOptions } from './cluster-process.ts'
