import { PersistentVolume, PersistentVolumeClaim, Pod, VolumeAttributesClass } from '@homeostat/api/kinds'
import { controller } from 'homeostat'
import { claimNames } from './claim-names.ts'

const CLAIM_FINALIZER = 'kubernetes.io/pvc-protection'
const VOLUME_FINALIZER = 'kubernetes.io/pv-protection'
const CLASS_FINALIZER = 'kubernetes.io/vac-protection'

/** Keeps a claim that is being deleted as long as a Pod on a node uses it. */
export const claimProtection = controller('pvc-protection-controller')
  .for(PersistentVolumeClaim)
  .watches(Pod, (pod) => claimNames(pod).map((name) => ({ namespace: pod.metadata.namespace, name })))
  .reconcile(async (request, { client }) => {
    const claim = await client.get(PersistentVolumeClaim, request)
    const finalizers = claim && planFinalizers(claim, CLAIM_FINALIZER)
    if (!finalizers) return
    const { namespace, name, deletionTimestamp } = claim.metadata
    if (deletionTimestamp) {
      // Reads from the server, not from the cache: a Pod that was just scheduled must not lose its volume.
      const pods = await client.live.list(Pod, { namespace })
      if (pods.some((pod) => pod.spec.nodeName && claimNames(pod).includes(name))) return
    }
    await client.update(PersistentVolumeClaim, { ...claim, metadata: { ...claim.metadata, finalizers } })
  })

/** Keeps a volume that is being deleted as long as it is bound. */
export const volumeProtection = controller('pv-protection-controller')
  .for(PersistentVolume)
  .reconcile(async (request, { client }) => {
    const volume = await client.get(PersistentVolume, request)
    const finalizers = volume && planFinalizers(volume, VOLUME_FINALIZER)
    if (!finalizers || (volume.metadata.deletionTimestamp && volume.status.phase === 'Bound')) return
    await client.update(PersistentVolume, { ...volume, metadata: { ...volume.metadata, finalizers } })
  })

/** Keeps a class of attributes that is being deleted as long as a claim or a volume names it. */
export const attributesClassProtection = controller('volumeattributesclass-protection-controller')
  .for(VolumeAttributesClass)
  .watches(PersistentVolumeClaim, (claim) => classesOfClaim(claim).map((name) => ({ name })))
  .watches(PersistentVolume, (volume) => classesOfVolume(volume).map((name) => ({ name })))
  .reconcile(async (request, { client }) => {
    const found = await client.get(VolumeAttributesClass, request)
    const finalizers = found && planFinalizers(found, CLASS_FINALIZER)
    if (!finalizers) return
    const { name, deletionTimestamp } = found.metadata
    if (deletionTimestamp) {
      // Reads from the server, not from the cache: a claim that was just created must not lose its class.
      const claims = await client.live.list(PersistentVolumeClaim)
      const volumes = await client.live.list(PersistentVolume)
      const used = [...claims.flatMap(classesOfClaim), ...volumes.flatMap(classesOfVolume)]
      if (used.includes(name)) return
    }
    await client.update(VolumeAttributesClass, { ...found, metadata: { ...found.metadata, finalizers } })
  })

/** The classes of attributes that a claim has, has had or will have. */
function classesOfClaim({ spec, status }: PersistentVolumeClaim): string[] {
  const { currentVolumeAttributesClassName: current, modifyVolumeStatus } = status
  const names = [spec.volumeAttributesClassName, current, modifyVolumeStatus?.targetVolumeAttributesClassName]
  return names.flatMap((name) => name || [])
}

function classesOfVolume({ spec }: PersistentVolume): string[] {
  return spec.volumeAttributesClassName ? [spec.volumeAttributesClassName] : []
}

/**
 * The finalizers with this controller's, or without it where the object is being deleted; `undefined` where they
 * are right already.
 */
function planFinalizers(
  { metadata }: PersistentVolume | PersistentVolumeClaim | VolumeAttributesClass,
  finalizer: string,
): string[] | undefined {
  const finalizers = metadata.finalizers ?? []
  const there = finalizers.includes(finalizer)
  if (metadata.deletionTimestamp) return there ? finalizers.filter((name) => name !== finalizer) : undefined
  return there ? undefined : [...finalizers, finalizer]
}
