import type { AppsV1, ControllerRevision, Pod, StatefulSet } from '@homeostat/api/kinds'
import { availableIn, isReady } from '../pods/pod-facts.ts'
import { replicasOf, revisionOf } from './stateful-pod.ts'
import { nonzeroCounts } from '../objects/nonzero-counts.ts'

/** The state from which the status is computed. */
export interface StatusInput {
  readonly set: StatefulSet
  /** The revision that Pods below the partition have. */
  readonly current: ControllerRevision
  /** The revision that is rolled out. */
  readonly update: ControllerRevision
  readonly collisionCount: number
  readonly pods: readonly Pod[]
  /** How many Pods of another revision are being deleted now, to be made again. */
  readonly replaced: number
  readonly now: number
}

/** The status of a StatefulSet, from its Pods. */
export function statefulSetStatus(input: StatusInput): AppsV1.StatefulSetStatus {
  const { set, current, update, pods, now } = input
  const minReadySeconds = set.spec.minReadySeconds ?? 0
  const created = pods.filter(({ status }) => status.phase)
  const ready = pods.filter((pod) => pod.status.phase === 'Running' && isReady(pod))
  const available = ready.filter((pod) => availableIn(pod, minReadySeconds, now) === 0)
  const staying = created.filter(({ metadata }) => !metadata.deletionTimestamp)
  const of = (revision: ControllerRevision): number =>
    staying.filter((pod) => revisionOf(pod) === revision.metadata.name).length
  const updated = of(update)
  const complete =
    (set.spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate' &&
    [updated, ready.length, created.length].every((count) => count === replicasOf(set))
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: created.length,
    ...nonzeroCounts({
      readyReplicas: ready.length,
      currentReplicas: complete ? updated : of(current) - input.replaced,
      updatedReplicas: updated,
    }),
    currentRevision: (complete ? update : current).metadata.name,
    updateRevision: update.metadata.name,
    collisionCount: input.collisionCount,
    availableReplicas: available.length,
  }
}
