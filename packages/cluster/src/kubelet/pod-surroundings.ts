import type { Clock } from '@homeostat/api'
import type { Pod } from '@homeostat/api/kinds'
import type { ImageMap } from '../images/index.ts'
import type { PodAddress } from '../network/index.ts'
import type { ProcessGuard } from './process-guard.ts'
import type { ConfigReader, PodVolumes } from './volumes/index.ts'

/** Something that happened to a Pod, for `kubectl describe`. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** What all containers of a Pod share, and how they tell it what happened. */
export interface PodSurroundings {
  readonly clock: Clock
  readonly images: ImageMap
  readonly guard: ProcessGuard
  readonly volumes: PodVolumes
  readonly hostIP: string
  /** Something changed that the status shows, or the time for a further step has come. */
  readonly changed: () => void
  readonly event: (event: PodEvent) => void
}

/** What a step goes by: the Pod as the API shows it now, and where its configuration is read. */
export interface PodStep {
  readonly pod: Pod
  readonly address: PodAddress
  readonly reader: ConfigReader
}
