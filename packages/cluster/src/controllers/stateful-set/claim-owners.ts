import { apiVersionOf, type AnyKind, type OwnerReference } from '@homeostat/api'
import { Pod, StatefulSet, type PersistentVolumeClaim } from '@homeostat/api/kinds'
import { controllerReference } from 'homeostat'
import { isWanted } from './stateful-pod.ts'

type References = readonly Readonly<OwnerReference>[]
/** An existing Pod, or one that is about to be created and has no uid yet. */
interface Member {
  readonly metadata: { readonly name: string; readonly uid?: string | undefined }
}
interface Place {
  readonly set: StatefulSet
  readonly pod: Member
  readonly ordinal: number
}

/**
 * The owners of a claim, through which the garbage collector carries out the set's retention policy. The set
 * owns the claim if claims are deleted with the set. The Pod owns it if claims are deleted on scaling down
 * and the Pod is beyond the replicas. `undefined` if the owners are right, or if another controller owns the
 * claim.
 */
export function planClaimOwners(
  claim: PersistentVolumeClaim,
  place: Place,
): readonly OwnerReference[] | undefined {
  const { set, pod } = place
  const references: References = claim.metadata.ownerReferences ?? []
  if (isOutdated(references, set, StatefulSet) || isOutdated(references, pod, Pod)) return undefined
  const ours = references.filter((reference) => isOurs(reference, place))
  const others = references.filter((reference) => !isOurs(reference, place))
  if (hasOtherController(claim, place)) return ours.length > 0 ? others : undefined
  const wanted = wantedOwners(place)
  const right =
    ours.every(({ controller }) => controller) &&
    ours.length === wanted.length &&
    wanted.every(({ uid }) => ours.some((reference) => reference.uid === uid))
  return right ? undefined : [...others, ...wanted]
}

/** Whether a claim that the retention policy is about is controlled by another object. */
export function hasOtherController(claim: PersistentVolumeClaim, { set, pod }: Place): boolean {
  const { whenDeleted, whenScaled } = retentionOf(set)
  if (whenDeleted === 'Retain' && whenScaled === 'Retain') return false
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    if (names(reference, set, StatefulSet)) return reference.uid !== set.metadata.uid
    if (names(reference, pod, Pod)) return reference.uid !== pod.metadata.uid
    return reference.controller === true
  })
}

/**
 * Whether a claim is left from an earlier Pod of the same name and is being deleted: a new Pod must wait until it is
 * gone, or it would lose its volume.
 */
export function isLeftover(claim: PersistentVolumeClaim, { set, pod }: Place): boolean {
  return (
    retentionOf(set).whenScaled === 'Delete' && isOutdated(claim.metadata.ownerReferences ?? [], pod, Pod)
  )
}

function wantedOwners({ set, pod, ordinal }: Place): OwnerReference[] {
  const { whenDeleted, whenScaled } = retentionOf(set)
  const { name, uid } = pod.metadata
  if (whenScaled === 'Delete' && !isWanted(set, ordinal) && uid !== undefined) {
    return [controllerReference({ metadata: { name, uid } }, Pod)]
  }
  return whenDeleted === 'Delete' && (whenScaled !== 'Delete' || isWanted(set, ordinal))
    ? [controllerReference(set)]
    : []
}

function retentionOf(set: StatefulSet): { whenDeleted: string; whenScaled: string } {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } =
    set.spec.persistentVolumeClaimRetentionPolicy ?? {}
  return { whenDeleted, whenScaled }
}

function isOurs(reference: Readonly<OwnerReference>, { set, pod }: Place): boolean {
  return names(reference, set, StatefulSet) || names(reference, pod, Pod)
}

function names(reference: Readonly<OwnerReference>, owner: Member, kind: AnyKind): boolean {
  return (
    reference.apiVersion === apiVersionOf(kind) &&
    reference.kind === kind.kind &&
    reference.name === owner.metadata.name
  )
}

/** Whether a reference names another owner of the same name. */
function isOutdated(references: References, owner: Member, kind: AnyKind): boolean {
  const named = references.find((reference) => names(reference, owner, kind))
  return named !== undefined && named.uid !== owner.metadata.uid
}
