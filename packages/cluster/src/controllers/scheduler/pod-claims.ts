import type { PersistentVolumeClaim, Pod, StorageClass } from '@homeostat/api/kinds'

/** How the claims of a Pod stand. */
export type ClaimStanding =
  /** All are bound, or there are none. */
  | { readonly type: 'ready' }
  /** These wait for a node to be chosen. */
  | { readonly type: 'waiting'; readonly claims: readonly PersistentVolumeClaim[] }
  | { readonly type: 'problem'; readonly reason: string }

const BOUND = 'pv.kubernetes.io/bind-completed'

/** Names the node for which a volume is to be made. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node'

/** Looks at the claims that a Pod names, in the order of its volumes. */
export function claimStanding(
  pod: Pod,
  claimOf: (name: string) => PersistentVolumeClaim | undefined,
  classOf: (name: string) => StorageClass | undefined,
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
  const waits = unbound.every(
    ({ spec }) =>
      !spec.volumeName && classOf(spec.storageClassName ?? '')?.volumeBindingMode === 'WaitForFirstConsumer',
  )
  if (waits) return { type: 'waiting', claims: unbound }
  return problem('pod has unbound immediate PersistentVolumeClaims')
}

function isBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return Boolean(spec.volumeName) && metadata.annotations?.[BOUND] !== undefined
}
