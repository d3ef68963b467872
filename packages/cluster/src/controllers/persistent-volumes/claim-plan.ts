import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '@homeostat/api/kinds'
import { BIND_COMPLETED, classOf, namesClass, SELECTED_NODE } from './volume-annotations.ts'
import { findVolume, isBoundTo, mismatch } from './volume-match.ts'

/** An Event for the claim. */
export interface Notice {
  readonly type: 'normal' | 'warning'
  readonly reason: string
  readonly message: string
}

/** The next step for a claim. */
export type ClaimPlan =
  | { readonly type: 'bind'; readonly volume: PersistentVolume }
  /** A provisioner is to make a volume for it. */
  | { readonly type: 'provision'; readonly provisioner: string }
  /** It names no class, and a default class was created after it. */
  | { readonly type: 'assign'; readonly storageClass: string }
  | { readonly type: 'wait'; readonly notice?: Notice | undefined }
  /** Not even the phase changes. */
  | { readonly type: 'fail'; readonly notice: Notice }
  /** Its volume was deleted. */
  | { readonly type: 'lost'; readonly notice: Notice }

/** The other objects that the plan depends on. */
export interface ClaimContext {
  readonly volumes: readonly PersistentVolume[]
  readonly classes: readonly StorageClass[]
  /** Names of Pods that use the claim and are not on a node yet. */
  readonly waitingPods: readonly string[]
  /** Whether a Pod that uses the claim is on a node. */
  readonly placed: boolean
}

/** Decides what to do with a claim. */
export function planClaimBinding(claim: PersistentVolumeClaim, around: ClaimContext): ClaimPlan {
  if (claim.metadata.annotations?.[BIND_COMPLETED] !== undefined) return planBound(claim, around)
  return claim.spec.volumeName ? planNamed(claim, claim.spec.volumeName, around) : planFree(claim, around)
}

function planBound(claim: PersistentVolumeClaim, { volumes }: ClaimContext): ClaimPlan {
  const { volumeName } = claim.spec
  if (!volumeName) {
    return lost(
      'ClaimLost',
      'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
    )
  }
  const volume = volumes.find(({ metadata }) => metadata.name === volumeName)
  if (!volume) {
    return lost('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!')
  }
  const { claimRef } = volume.spec
  if (!claimRef || claimRef.uid === claim.metadata.uid) return { type: 'bind', volume }
  return lost('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly')
}

/** A claim that asks for one volume by its name. */
function planNamed(claim: PersistentVolumeClaim, name: string, { volumes }: ClaimContext): ClaimPlan {
  const volume = volumes.find(({ metadata }) => metadata.name === name)
  if (!volume) return { type: 'wait' }
  if (!volume.spec.claimRef) {
    const problem = mismatch(volume, claim)
    if (problem === undefined) return { type: 'bind', volume }
    return wait('warning', 'VolumeMismatch', `Cannot bind to requested volume "${name}": ${problem}`)
  }
  if (isBoundTo(volume, claim)) return { type: 'bind', volume }
  return wait('warning', 'FailedBinding', `volume "${name}" already bound to a different claim.`)
}

function planFree(claim: PersistentVolumeClaim, around: ClaimContext): ClaimPlan {
  const name = classOf(claim)
  const storageClass = around.classes.find(({ metadata }) => metadata.name === name)
  const delayed =
    storageClass?.volumeBindingMode === 'WaitForFirstConsumer' &&
    claim.metadata.annotations?.[SELECTED_NODE] === undefined &&
    !around.placed
  const volume = findVolume(claim, around.volumes, delayed)
  if (volume) return { type: 'bind', volume }
  const chosen = namesClass(claim) ? undefined : defaultOf(around.classes)
  if (chosen !== undefined) return { type: 'assign', storageClass: chosen }
  if (delayed) return waitForPod(around.waitingPods)
  if (name === '') {
    return wait(
      'normal',
      'FailedBinding',
      'no persistent volumes available for this claim and no storage class is set',
    )
  }
  if (storageClass) return { type: 'provision', provisioner: storageClass.provisioner }
  const message = `storageclass.storage.k8s.io "${name}" not found`
  return { type: 'fail', notice: { type: 'warning', reason: 'ProvisioningFailed', message } }
}

function waitForPod(pods: readonly string[]): ClaimPlan {
  if (pods.length === 0) {
    return wait('normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding')
  }
  const which = pods.length === 1 ? `pod ${pods[0]}` : `pods ${pods.join(',')}`
  return wait('normal', 'WaitForPodScheduled', `waiting for ${which} to be scheduled`)
}

/** The default class: of several the newest. */
function defaultOf(classes: readonly StorageClass[]): string | undefined {
  const marks = [
    'storageclass.kubernetes.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ]
  return classes
    .filter(({ metadata }) => marks.some((mark) => metadata.annotations?.[mark] === 'true'))
    .sort(({ metadata: a }, { metadata: b }) =>
      a.creationTimestamp === b.creationTimestamp
        ? a.name < b.name
          ? -1
          : 1
        : a.creationTimestamp > b.creationTimestamp
          ? -1
          : 1,
    )
    .at(0)?.metadata.name
}

function wait(type: Notice['type'], reason: string, message: string): ClaimPlan {
  return { type: 'wait', notice: { type, reason, message } }
}

function lost(reason: string, message: string): ClaimPlan {
  return { type: 'lost', notice: { type: 'warning', reason, message } }
}
