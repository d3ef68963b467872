import type { Clock } from '@homeostat/api'
import type { ImageMap } from '../../images/index.ts'
import type { PodNetwork } from '../../network/index.ts'
import type { NodeNetwork } from '../container/index.ts'
import type { ListenerWatch, PodNamespaces } from '../separation/index.ts'

/** The settings that all Pods of a node share. */
export interface NodeSettings {
  readonly clock: Clock
  readonly images: ImageMap
  /** The addresses of the node's Pods. */
  readonly network: PodNetwork
  readonly hostIP: string
  /** How containers reach other Pods and Services. Default: not at all. */
  readonly cluster?: NodeNetwork | undefined
  /** How processes are separated, and see names of the cluster. Default: they see what the machine has. */
  readonly namespaces?: PodNamespaces | undefined
  /** Shows processes the names of the cluster. Default: true. */
  readonly processNames?: boolean | undefined
  /** How many processes and threads a container may have. Default: any number. */
  readonly processLimit?: number | undefined
  /** Keeps processes from the addresses of other Pods. Default: nothing does. */
  readonly listeners?: ListenerWatch | undefined
  /** Lets Pods mount paths of this machine. Default: false. */
  readonly hostPaths?: boolean | undefined
}
