import { compareQuantities, labelSelectorFrom, matchesLabels, parseQuantity } from '@homeostat/api'
import type { PersistentVolume, PersistentVolumeClaim } from '@homeostat/api/kinds'
import { classOf } from './volume-annotations.ts'

/** Whether a volume is bound to a claim, or kept for it by name. */
export function isBoundTo(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { claimRef } = volume.spec
  return (
    claimRef?.name === claim.metadata.name &&
    claimRef.namespace === claim.metadata.namespace &&
    (!claimRef.uid || claimRef.uid === claim.metadata.uid)
  )
}

/**
 * The volume that suits a claim best: one that is kept for it; else, unless `delayed`, the one with the
 * fewest access modes beyond those asked for, and of these the smallest.
 */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  delayed: boolean,
): PersistentVolume | undefined {
  const suitable = volumes.filter(
    (volume) =>
      volume.metadata.deletionTimestamp === undefined &&
      hasModes(volume, claim) &&
      compareSizes(volume, sizeOf(claim.spec.resources?.requests)) >= 0 &&
      modeOf(volume) === modeOf(claim) &&
      attributesOf(volume) === attributesOf(claim),
  )
  const kept = suitable.find((volume) => isBoundTo(volume, claim))
  if (kept || delayed) return kept
  const { selector } = claim.spec
  const matches = selector && labelSelectorFrom(selector)
  return suitable
    .filter(
      ({ spec, status, metadata }) =>
        !spec.claimRef &&
        status.phase === 'Available' &&
        (!matches || matchesLabels(matches, metadata.labels ?? {})),
    )
    .filter((volume) => classOf(volume) === classOf(claim))
    .sort(
      (a, b) =>
        modesOf(a).length - modesOf(b).length ||
        compareSizes(a, sizeOf(b.spec.capacity)) ||
        (a.metadata.name < b.metadata.name ? -1 : 1),
    )
    .at(0)
}

/** Why a volume that a claim asks for by name does not suit it; `undefined` where it does. */
export function mismatch(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const { deletionTimestamp, name } = volume.metadata
  if (deletionTimestamp !== undefined) return `the volume is marked for deletion "${name}"`
  if (compareSizes(volume, sizeOf(claim.spec.resources?.requests)) < 0) return 'requested PV is too small'
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match'
  if (attributesOf(volume) !== attributesOf(claim)) return 'volumeAttributesClassName does not match'
  if (modeOf(volume) !== modeOf(claim)) return 'incompatible volumeMode'
  return hasModes(volume, claim) ? undefined : 'incompatible accessMode'
}

/** `Filesystem` or `Block`. */
export function modeOf({ spec }: { readonly spec: { readonly volumeMode?: string | undefined } }): string {
  return spec.volumeMode ?? 'Filesystem'
}

function attributesOf({
  spec,
}: {
  readonly spec: { readonly volumeAttributesClassName?: string | undefined }
}): string {
  return spec.volumeAttributesClassName ?? ''
}

function hasModes(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const modes = modesOf(volume)
  return (claim.spec.accessModes ?? []).every((mode) => modes.includes(mode))
}

function modesOf({ spec }: PersistentVolume): readonly string[] {
  return spec.accessModes ?? []
}

function sizeOf(resources: Readonly<Record<string, string | number>> | undefined): string | number {
  return resources?.['storage'] ?? 0
}

function compareSizes(volume: PersistentVolume, size: string | number): number {
  const nothing = { mantissa: 0n, exponent: 0, form: 'decimal' } as const
  return compareQuantities(
    parseQuantity(sizeOf(volume.spec.capacity)) ?? nothing,
    parseQuantity(size) ?? nothing,
  )
}
