import type { PersistentVolumeClaim, Pod, StorageClass } from '@homeostat/api/kinds'
import { BIND_COMPLETED, classOf } from '../persistent-volumes/volume-annotations.ts'

/** The state of the claims of a Pod. */
export type ClaimStanding =
  /** All are bound, or there are none. */
  | { readonly type: 'ready' }
  /** Claims that wait for a node; `static` ones need an existing volume. */
  | {
      readonly type: 'waiting'
      readonly claims: readonly PersistentVolumeClaim[]
      readonly static: readonly PersistentVolumeClaim[]
    }
  | { readonly type: 'problem'; readonly reason: string }

/** The provisioner of classes without dynamic provisioning. */
const NO_PROVISIONER = 'kubernetes.io/no-provisioner'

/** Looks at the claims that a Pod names, in the order of its volumes. */
export function claimStanding(
  pod: Pod,
  claimOf: (name: string) => PersistentVolumeClaim | undefined,
  storageClass: (name: string) => StorageClass | undefined,
): ClaimStanding {
  const problem = (reason: string): ClaimStanding => ({ type: 'problem', reason })
  const unbound: PersistentVolumeClaim[] = []
  for (const { name, ephemeral, persistentVolumeClaim } of pod.spec.volumes ?? []) {
    const claimName = ephemeral ? `${pod.metadata.name}-${name}` : persistentVolumeClaim?.claimName
    if (claimName === undefined) continue
    const claim = claimOf(claimName)
    const quoted = JSON.stringify(claimName)
    if (!claim) {
      return problem(
        ephemeral
          ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`
          : `persistentvolumeclaim ${quoted} not found`,
      )
    }
    if (claim.status.phase === 'Lost') {
      const volume = JSON.stringify(claim.spec.volumeName ?? '')
      return problem(`persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${volume}`)
    }
    if (claim.metadata.deletionTimestamp) {
      return problem(`persistentvolumeclaim ${quoted} is being deleted`)
    }
    if (!isBound(claim)) unbound.push(claim)
  }
  if (unbound.length === 0) return { type: 'ready' }
  const classes = new Map(unbound.map((claim) => [claim, storageClass(classOf(claim))]))
  const waits = unbound.every(
    (claim) => !claim.spec.volumeName && classes.get(claim)?.volumeBindingMode === 'WaitForFirstConsumer',
  )
  if (waits) {
    const fixed = unbound.filter((claim) => classes.get(claim)?.provisioner === NO_PROVISIONER)
    return { type: 'waiting', claims: unbound, static: fixed }
  }
  return problem('pod has unbound immediate PersistentVolumeClaims')
}

function isBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return Boolean(spec.volumeName) && metadata.annotations?.[BIND_COMPLETED] !== undefined
}
