import { HomeostatError, type Clock } from '@homeostat/api'
import { ApiServer, type PodLogRequest, type ProxyConnect } from '@homeostat/apiserver'
import { API_ADDRESS } from './api-address.ts'
import type { ClusterFolder } from './cluster-folder.ts'
import type { ClusterOptions } from './cluster-options.ts'
import { CLUSTER_GAPS } from './controllers/index.ts'
import type { Nodes } from './nodes.ts'
import { readPodLog } from './pod-logs.ts'
import { podStreams } from './streams/index.ts'

/** The server locks its folder while it runs, also against other processes: the process that starts it owns the cluster. */
export async function startServer(
  folder: ClusterFolder,
  nodes: Nodes,
  clock: Clock,
  connect: ProxyConnect,
  options: ClusterOptions,
): Promise<ApiServer> {
  const { onWrite, acceptDataLoss, authentication, authorization, tokenWebhook, encryption, audit } = options
  const podLogs = (request: PodLogRequest): Promise<AsyncIterable<Uint8Array>> =>
    readPodLog(nodes, request, clock)
  try {
    return await ApiServer.start({
      clock,
      dataDir: folder.api,
      kubernetesVersion: options.kubernetesVersion,
      acceptDataLoss,
      encryption,
      audit,
      podLogs,
      podStreams: podStreams(nodes),
      connect,
      metrics: nodes,
      kubelets: (node) => nodes.handler(node),
      finalizeNamespaces: false,
      protectsVolumes: true,
      advertiseAddress: API_ADDRESS,
      serviceAccounts: { admission: true },
      withoutEffect: CLUSTER_GAPS,
      authentication,
      authorization,
      alwaysAllow: options.alwaysAllow,
      users: options.users,
      tokenAlgorithms: options.tokenAlgorithms,
      tokenWebhook,
      onWrite,
    })
  } catch (error) {
    if (error instanceof HomeostatError && error.code === 'STORE_IN_USE') throw folder.inUse(error)
    throw error
  }
}
