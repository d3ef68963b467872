import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'

/** The state of a container, as the node knows it. */
export interface ContainerView {
  readonly spec: DeepReadonly<CoreV1.Container>
  readonly state: CoreV1.ContainerState
  /** How the previous run ended. */
  readonly lastExit: CoreV1.ContainerStateTerminated | undefined
  /** Absent until it has run. */
  readonly containerID: string | undefined
  readonly restartCount: number
  readonly started: boolean
  readonly ready: boolean
}

/** The status of a container as a node writes it. */
export function containerStatus(view: ContainerView): CoreV1.ContainerStatus {
  const { spec, state, lastExit, containerID } = view
  const image = spec.image ?? ''
  const mounts = (spec.volumeMounts ?? []).map(({ name, mountPath, readOnly }) => ({
    name,
    mountPath,
    ...(readOnly ? { readOnly, recursiveReadOnly: 'Disabled' } : {}),
  }))
  const { requests } = spec.resources ?? {}
  return {
    name: spec.name,
    state,
    lastState: lastExit ? { terminated: lastExit } : {},
    ready: view.ready,
    restartCount: view.restartCount,
    image,
    imageID: containerID === undefined ? '' : `homeostat://${image}`,
    ...(containerID === undefined ? {} : { containerID }),
    started: view.started,
    ...(containerID !== undefined && requests ? { allocatedResources: { ...requests } } : {}),
    ...(containerID === undefined ? {} : { resources: spec.resources ?? {} }),
    ...(mounts.length > 0 ? { volumeMounts: mounts } : {}),
  } as CoreV1.ContainerStatus
}
