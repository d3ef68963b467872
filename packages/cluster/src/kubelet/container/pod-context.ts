import type { Clock } from '@homeostat/api'
import type { Pod } from '@homeostat/api/kinds'
import type { ImageMap } from '../../images/index.ts'
import type { ClusterNetwork, PodAddress } from '../../network/index.ts'
import type { PodSandbox } from '../sandbox/index.ts'
import type { PodSources } from '../sources/index.ts'
import type { ProcessGuard } from '../separation/index.ts'
import type { PodVolumes } from '../volumes/index.ts'

/** An event of a Pod, for `kubectl describe`. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** The part of the Pod that it happened to, such as `spec.containers{web}`. Default: the whole. */
  readonly fieldPath?: string | undefined
}

/** How containers reach each other and resolve names. */
export type NodeNetwork = Pick<
  ClusterNetwork,
  'connect' | 'moduleEnvironment' | 'processEnvironment' | 'openHostsFile' | 'loopbackAddress'
>

/** The state that all containers of a Pod share, and the callbacks by which they report to the Pod. */
export interface PodContext {
  readonly clock: Clock
  readonly images: ImageMap
  readonly guard: ProcessGuard
  readonly volumes: PodVolumes
  readonly sandbox: PodSandbox
  /** How many processes and threads a container may have. Default: any number. */
  readonly processLimit?: number | undefined
  /** The Pod's own folder. */
  readonly podFolder: string
  readonly hostIP: string
  readonly allocatable: Readonly<Record<string, string>>
  /** Default: containers reach nothing. */
  readonly cluster?: NodeNetwork | undefined
  /** Called when the status has changed, or when the next step is due. */
  readonly changed: () => void
  readonly event: (event: PodEvent) => void
}

/** The inputs of a step: the current Pod of the API, and the sources of its configuration. */
export interface PodStep {
  readonly pod: Pod
  readonly address: PodAddress
  readonly sources: PodSources
}
