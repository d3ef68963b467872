import { deepEqual } from '@homeostat/api'
import type { CoreV1, PersistentVolume, PersistentVolumeClaim } from '@homeostat/api/kinds'
import { BIND_COMPLETED, BOUND_BY_CONTROLLER } from './volume-annotations.ts'
import { isBoundTo } from './volume-match.ts'

/** The volume, bound to the claim. Returns the same object where it is bound already. */
export function boundVolume(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { claimRef } = volume.spec
  if (isBoundTo(volume, claim) && claimRef?.uid) return volume
  const annotations = isBoundTo(volume, claim)
    ? volume.metadata.annotations
    : { ...volume.metadata.annotations, [BOUND_BY_CONTROLLER]: 'yes' }
  return {
    ...volume,
    metadata: { ...volume.metadata, annotations },
    spec: { ...volume.spec, claimRef: claimReference(claim) },
  }
}

/** The claim, bound to the volume. Returns the same object where it is bound already. */
export function boundClaim(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim {
  const { name } = volume.metadata
  const chosen = claim.spec.volumeName !== name
  if (!chosen && claim.metadata.annotations?.[BIND_COMPLETED] !== undefined) return claim
  const annotations = {
    ...claim.metadata.annotations,
    ...(chosen ? { [BOUND_BY_CONTROLLER]: 'yes' } : {}),
    [BIND_COMPLETED]: 'yes',
  }
  return {
    ...claim,
    metadata: { ...claim.metadata, annotations },
    spec: { ...claim.spec, volumeName: name },
  }
}

/**
 * The status of a claim in a phase, with the fields that its volume sets; the same object if nothing changes. If the
 * claim was bound before, its capacity stays: the volume may be growing.
 */
export function claimStatus(
  claim: PersistentVolumeClaim,
  phase: 'Pending' | 'Bound' | 'Lost',
  volume?: PersistentVolume,
): PersistentVolumeClaim['status'] {
  const { accessModes: _, capacity, currentVolumeAttributesClassName, ...rest } = claim.status
  if (!volume) return same(claim.status, { ...rest, phase })
  const before = claim.status.phase
  const attributes =
    before === 'Pending' ? volume.spec.volumeAttributesClassName : currentVolumeAttributesClassName
  return same(claim.status, {
    ...rest,
    phase,
    accessModes: volume.spec.accessModes,
    capacity: before === phase ? capacity : volume.spec.capacity,
    ...(attributes === undefined ? {} : { currentVolumeAttributesClassName: attributes }),
  })
}

/** How a volume names its claim. */
export function claimReference(claim: PersistentVolumeClaim): CoreV1.ObjectReference {
  const { namespace, name, uid, resourceVersion } = claim.metadata
  return { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion }
}

function same<T>(before: T, after: T): T {
  return deepEqual(before, after) ? before : after
}
