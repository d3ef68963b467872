import type { Clock } from '@homeostat/api'
import type { Client } from 'homeostat'
import type { Closing } from './closing.ts'
import type { ClusterFolder } from './cluster-folder.ts'
import type { ClusterNode, ClusterOptions } from './cluster-options.ts'
import type { ImageMap } from './images/index.ts'
import { Kubelet, type ListenerWatch, type PersistentFolders, type PodNamespaces } from './kubelet/index.ts'
import { PodNetwork, type AddressBook, type ClusterNetwork, type Loopback } from './network/index.ts'
import { registerNodes } from './node-registration.ts'
import type { Nodes } from './nodes.ts'
import { bundledImages } from './stand-ins/index.ts'

/** The address of every node: all of them are this machine. */
export const HOST_IP = '127.0.0.1'

/** Enough for any server, and few enough that a Pod which starts processes without end does not block the machine. */
const PROCESS_LIMIT = 4096

/** The parts that keep the processes of Pods from each other and from the machine, and let them find Services by name. */
export interface PodSeparation {
  /** Whether names of Services resolve in processes other than Node. */
  readonly processNames: boolean
  readonly separate: boolean
  readonly namespaces: PodNamespaces | undefined
  readonly listeners: ListenerWatch | undefined
}

/** The parts that the kubelets of a cluster share. */
export interface KubeletParts {
  readonly options: ClusterOptions
  readonly clock: Clock
  readonly client: Client
  /** The nodes that the options declare. */
  readonly declared: readonly ClusterNode[]
  readonly folder: ClusterFolder
  readonly loopback: Loopback
  readonly locator: AddressBook
  readonly network: ClusterNetwork
  readonly nodes: Nodes
  readonly separation: PodSeparation
  readonly persistentFolders: PersistentFolders
  /** Closes the kubelets. */
  readonly closing: Closing
}

/** Registers the nodes and starts a kubelet for each, which takes over the Pods that its predecessor left. */
export async function startKubelets(parts: KubeletParts): Promise<readonly Kubelet[]> {
  const { options, clock, client, folder, loopback, persistentFolders } = parts
  const { processNames, namespaces, listeners } = parts.separation
  const kubelets: Kubelet[] = []
  const registered = await registerNodes(client, parts.declared, HOST_IP, clock)
  for (const { name: node, subnet, allocatable } of registered) {
    const pods = new PodNetwork(loopback, subnet)
    parts.locator.add(pods)
    const kubelet = new Kubelet({
      node,
      // The controllers of a manager have different names.
      name: registered.length === 1 ? undefined : `kubelet-${node}`,
      hostIP: HOST_IP,
      clock,
      images: imagesOf(options),
      network: pods,
      cluster: parts.network,
      namespaces,
      processNames,
      listeners,
      processLimit: options.processLimit ?? PROCESS_LIMIT,
      allocatable,
      hostPaths: options.hostPaths,
      folder: folder.node(node),
      persistentFolders,
    })
    parts.nodes.add(parts.closing.use(kubelet))
    kubelets.push(kubelet)
    await kubelet.prepare()
    await kubelet.recover(client.live)
  }
  return kubelets
}

function imagesOf({ images = {}, hostCommands }: ClusterOptions): ImageMap {
  if (!hostCommands) return { ...bundledImages, ...images }
  const allowed = Object.entries(images).map(([name, image]) => [
    name,
    image && 'command' in image ? { hostCommands, ...image } : image,
  ])
  // The bundled shell cannot reach this machine. With the option, the machine's own shell replaces it.
  return {
    ...bundledImages,
    busybox: { command: 'sh', hostCommands },
    ...Object.fromEntries(allowed),
  } as ImageMap
}
