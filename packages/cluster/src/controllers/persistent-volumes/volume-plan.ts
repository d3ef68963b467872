import type { PersistentVolume, PersistentVolumeClaim } from '@homeostat/api/kinds'
import { BOUND_BY_CONTROLLER, PROVISIONED_BY } from './volume-annotations.ts'
import { modeOf } from './volume-match.ts'

/** The next step for a volume. */
export type VolumePlan =
  | { readonly type: 'phase'; readonly phase: 'Available' | 'Bound' }
  /** Its claim is gone: it is released, and then its reclaim policy is carried out. */
  | { readonly type: 'release'; readonly problem?: ReclaimProblem | undefined }
  /** Its claim has another volume: this one is free again, or kept for the claim by name alone. */
  | { readonly type: 'unbind'; readonly volume: PersistentVolume }
  /** The claim binds itself to it. */
  | { readonly type: 'wait' }
  /** The claim cannot bind itself to it. */
  | { readonly type: 'mismatch' }

/** Why a reclaim policy cannot be carried out. */
export interface ReclaimProblem {
  readonly reason: string
  readonly message: string
}

/** Decides what to do with a volume. `claim` is the one that its `claimRef` names, if it exists. */
export function planVolume(volume: PersistentVolume, claim: PersistentVolumeClaim | undefined): VolumePlan {
  const { claimRef } = volume.spec
  if (!claimRef?.uid) return { type: 'phase', phase: 'Available' }
  if (!claim || claim.metadata.uid !== claimRef.uid) {
    return { type: 'release', problem: reclaimProblem(volume) }
  }
  const { volumeName } = claim.spec
  if (!volumeName) return { type: modeOf(volume) === modeOf(claim) ? 'wait' : 'mismatch' }
  if (volumeName === volume.metadata.name) return { type: 'phase', phase: 'Bound' }
  const { annotations } = volume.metadata
  const deletes = volume.spec.persistentVolumeReclaimPolicy === 'Delete'
  if (annotations?.[PROVISIONED_BY] !== undefined && deletes) {
    return { type: 'release', problem: reclaimProblem(volume) }
  }
  return { type: 'unbind', volume: unbound(volume) }
}

/**
 * Volumes that a provisioner made, and those of a driver, are deleted by it. Nothing else is deleted here, since a
 * path of this machine belongs to its user.
 */
function reclaimProblem(volume: PersistentVolume): ReclaimProblem | undefined {
  const { annotations, name } = volume.metadata
  const { persistentVolumeReclaimPolicy: policy, csi } = volume.spec
  if (policy === 'Retain') return undefined
  if (policy === 'Delete') {
    if (csi || annotations?.[PROVISIONED_BY]) return undefined
    const why = 'no deletable volume plugin matched'
    return {
      reason: 'VolumeFailedDelete',
      message: `error getting deleter volume plugin for volume "${name}": ${why}`,
    }
  }
  return policy === 'Recycle'
    ? { reason: 'VolumeFailedRecycle', message: 'No recycler plugin found for the volume!' }
    : {
        reason: 'VolumeUnknownReclaimPolicy',
        message: 'Volume has unrecognized PersistentVolumeReclaimPolicy',
      }
}

function unbound(volume: PersistentVolume): PersistentVolume {
  const { [BOUND_BY_CONTROLLER]: ours, ...annotations } = volume.metadata.annotations ?? {}
  const { claimRef, ...spec } = volume.spec
  if (ours === undefined) {
    const { uid: _, ...kept } = claimRef ?? {}
    return { ...volume, spec: { ...spec, claimRef: kept } }
  }
  return { ...volume, metadata: { ...volume.metadata, annotations }, spec }
}
